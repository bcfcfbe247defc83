import * as api from '#domain/api/common';
import { type AppStatus, readAppStatus } from '#domain/api/read-common';
import { readFields, readRows, readText } from '#domain/core/read';
import type { Result } from '#domain/core/result';
import { uuidOf } from '#domain/core/uuid';
import type { Http } from './client';

/** The state of the app (protocol.md#app-status). */
export function appStatus(http: Http): Promise<Result<AppStatus>> {
  return http.get(api.appStatus, {}, readAppStatus, { initial: true, quiet: true });
}

/** `features` of getBasicInfo (protocol.md#features). */
export async function features(http: Http, signal?: AbortSignal): Promise<Result<string[]>> {
  const options = { initial: true, quiet: true, signal };
  const found = await http.get(api.basicInfo, {}, readFeatures, options);
  if (found.ok) http.nameRequests(found.data.includes('request_id') ? newUuid : undefined);
  return found;
}

const newUuid = () => uuidOf(crypto.getRandomValues(new Uint8Array(16)));

function readFeatures(value: unknown): string[] | undefined {
  const fields = readFields(value);
  return fields && (readRows(fields['features'] ?? [], readText) ?? []);
}

/** `version` of manifest.json on the page's origin (protocol.md#manifest); undefined where it can't be read. */
export async function publishedVersion(http: Http, origin: string): Promise<string | undefined> {
  return readText(readFields(await http.plain(`${origin}/manifest.json`))?.['version']);
}
