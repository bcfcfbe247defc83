import * as api from '#domain/api/common';
import { type AppStatus, readAppStatus } from '#domain/api/read-common';
import { readFields, readText } from '#domain/core/read';
import type { Result } from '#domain/core/result';
import type { Http } from './client';

/** The state of the app (protocol.md#app-status). */
export function appStatus(http: Http): Promise<Result<AppStatus>> {
  return http.get(api.appStatus, {}, readAppStatus, { initial: true, quiet: true });
}

/** `version` of manifest.json on the page's origin (protocol.md#manifest); undefined where it can't be read. */
export async function publishedVersion(http: Http, origin: string): Promise<string | undefined> {
  return readText(readFields(await http.plain(`${origin}/manifest.json`))?.['version']);
}
