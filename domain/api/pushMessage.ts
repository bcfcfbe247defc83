/** What a push tells (protocol.md#web-push). Apart from the declaration: the service worker has no schemas. */
import { NOTICE_KINDS, type NoticeKind } from '../account/notices';
import { readJson } from '../core/json';
import { readFields, readText } from '../core/read';

/** A message to a browser, as JSON, encrypted for it and filled up with spaces. */
export interface PushMessage {
  kind: NoticeKind;
  title: string;
  body: string;
  /** A message replaces the one with the same tag. */
  tag: string;
  /** Unique among all messages of a user, but for margin warnings: the same one is not told twice. */
  id: string;
  /** The screen that it is about, as the hash of the page's address. */
  path: string;
}

/** A message as its text came; undefined for what can't be trusted. */
export function readPushMessage(text: string): PushMessage | undefined {
  const fields = readFields(readJson(text));
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
