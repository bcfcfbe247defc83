/** The calls of web push (protocol.md#web-push). */
import * as v from 'valibot';
import { NOTICE_KINDS } from '../account/notices';
import { call } from './call';
import { knownText, nothing } from './fields';
import { oneOf, optional } from './params';

/** A point of P-256 in base64url: it begins with the byte 4, so its text with B. */
const POINT = /^B[\w-]{86}$/;

const key = v.pipe(
  v.object({
    /** The public key of the server's messages (VAPID): a point of P-256, uncompressed, in base64url. */
    key: v.pipe(knownText, v.regex(POINT)),
  }),
  v.title('PushKey'),
  v.transform(({ key }) => key),
);

export const pushKey = call({
  method: 'GET',
  path: '/api/notify/push_key',
  access: 'user',
  effect: 'reads',
  feature: 'push',
  params: {},
  answer: key,
});

/** Longer than any push service's. */
const LONGEST_ENDPOINT = 1_000;

const endpoint = v.pipe(
  v.string(),
  v.url(),
  v.regex(/^https?:\/\/\S+$/),
  v.maxLength(LONGEST_ENDPOINT),
);

/** Bytes in base64url, with or without padding. */
const bytes = (length: number) => {
  const digits = Math.ceil((length * 4) / 3);
  return v.pipe(v.string(), v.regex(new RegExp(`^[\\w-]{${digits}}={0,2}$`)));
};

/** Takes a PushSubscription as its `toJSON()` writes it; other fields are ignored. */
export const addPush = call({
  method: 'POST',
  body: 'json',
  path: '/api/notify/push_add',
  access: 'user',
  effect: 'changes',
  feature: 'push',
  params: {
    endpoint,
    /** The browser's point of P-256, uncompressed, and a secret. */
    keys: v.looseObject({ p256dh: bytes(65), auth: bytes(16) }),
    /** What the user wants to be told. */
    kinds: v.pipe(
      v.array(v.picklist(NOTICE_KINDS)),
      v.maxLength(NOTICE_KINDS.length),
      v.check((kinds) => new Set(kinds).size === kinds.length),
    ),
    /** 1: names, prices and results may be in the messages; 0 or missing: only their kind. */
    details: optional(oneOf(0, 1), 0),
  },
  answer: nothing,
});

export const deletePush = call({
  method: 'POST',
  body: 'json',
  path: '/api/notify/push_del',
  access: 'user',
  effect: 'changes',
  feature: 'push',
  params: { endpoint },
  answer: nothing,
});
