/** Readers of web push (protocol.md#web-push): undefined for what can't be trusted. */
import { NOTICE_KINDS } from '../account/notices';
import { readFields, readText } from '../core/read';
import type { PushMessage } from './push';

export function readPushKey(data: unknown): string | undefined {
  const key = readText(readFields(data)?.['key']);
  // A point of P-256 begins with 4, so its text with B.
  return key && /^B[\w-]{86}$/.test(key) ? key : undefined;
}

/** A message as its text came. */
export function readPushMessage(text: string): PushMessage | undefined {
  const fields = readFields(parsed(text));
  const kind = NOTICE_KINDS.find((each) => each === fields?.['kind']);
  const title = readText(fields?.['title']);
  if (!fields || !kind || !title) return undefined;
  const path = readText(fields['path']) ?? '';
  const tag = readText(fields['tag']) || kind;
  return {
    ...{ kind, title, tag },
    body: readText(fields['body']) ?? '',
    id: readText(fields['id']) || tag,
    path: path.startsWith('/') ? path : '/',
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
