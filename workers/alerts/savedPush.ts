import { NOTICE_KINDS } from '#domain/account/notices';
import { readFields, readText } from '#domain/core/read';
import type { SavedPush } from '#domain/worker/push';

/** Where the worker stores what the service worker needs, for as long as the user is logged in. */
export const PUSH_KEY = 'push';

/** What is stored under PUSH_KEY. */
export function readSavedPush(stored: unknown): SavedPush | undefined {
  const fields = readFields(stored);
  const token = readText(fields?.['token']);
  const address = readText(fields?.['address']);
  const key = readText(fields?.['key']);
  const kinds = fields?.['kinds'];
  if (!fields || !token || !address || !key || !Array.isArray(kinds)) return undefined;
  return {
    ...{ token, address, key, details: fields['details'] === true },
    untold: fields['untold'] === true,
    language: readText(fields['language']) ?? '',
    kinds: NOTICE_KINDS.filter((kind) => kinds.includes(kind)),
  };
}
