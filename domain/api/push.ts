/** The calls of web push (protocol.md#web-push), and what is pushed. */
import type { NoticeKind } from '../account/notices';
import { endpoint, type NoParams } from './endpoint';

export interface PushKeyRow {
  /** The public key of the server's messages (VAPID): a point of P-256, uncompressed, in base64url. */
  key: string;
}

/** A PushSubscription as its `toJSON()` writes it; other fields are ignored. */
export interface AddPushParams {
  endpoint: string;
  /** In base64url: the browser's point of P-256, uncompressed, and 16 bytes. */
  keys: { p256dh: string; auth: string };
  /** What the user wants to be told. */
  kinds: NoticeKind[];
  /** 1: names, prices and results may be in the messages; 0 or missing: only their kind. */
  details?: 0 | 1;
}

export interface DeletePushParams {
  endpoint: string;
}

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

export const pushKey = endpoint<NoParams, PushKeyRow>()({
  method: 'GET',
  path: '/api/notify/push_key',
  access: 'user',
  effect: 'reads',
  feature: 'push',
});

export const addPush = endpoint<AddPushParams, null>()({
  method: 'POST',
  body: 'json',
  path: '/api/notify/push_add',
  access: 'user',
  effect: 'changes',
  feature: 'push',
});

export const deletePush = endpoint<DeletePushParams, null>()({
  method: 'POST',
  body: 'json',
  path: '/api/notify/push_del',
  access: 'user',
  effect: 'changes',
  feature: 'push',
});
