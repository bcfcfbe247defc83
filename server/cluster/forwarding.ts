import { finished } from 'node:stream';
import replyFrom from '@fastify/reply-from';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AddressKind } from '#domain/account/address';
import { CODE_TYPES } from '#domain/account/codes';
import {
  captcha,
  forgetPassword,
  login,
  register,
  sendEmail,
  sendSms,
  uploadPicture,
} from '#domain/api/account';
import { newsArticle, newsList } from '#domain/api/news';
import { popularList, traderList } from '#domain/api/ranking';
import { passkeyLogin } from '#domain/api/security';
import { saveSettings } from '#domain/api/settings';
import { openDemo } from '#domain/api/user';
import { toAddress } from '../account/addresses';
import type { AccountName } from '../account/otherEngines';
import { DatabaseUnavailable } from '../db/unavailable';
import { callerOf } from '../http/route';
import { MOST_SENT_BYTES } from '../syncedSettings/syncedSettings';
import { PICTURE_PATH } from '../uploads/pictures';
import { UploadPlaces } from '../uploads/uploadPlaces';
import { shardOfToken } from './shards';

export interface ForwardingOptions {
  /** Where the engine of these accounts takes calls; undefined before it was heard. */
  addressOf(shard: number): string | undefined;
  /** The engine that has the account of this name, or gets it. */
  placeOf(name: AccountName): Promise<number>;
}

/** A picture of 8 MiB with the rest of its form (protocol.md#uploads). */
const MAX_UPLOAD = 8 * 1024 * 1024 + 64 * 1024;
/** Calls whose bodies are larger than those of others, in bytes. */
const LARGE_BODIES = [
  [uploadPicture, MAX_UPLOAD],
  [saveSettings, MOST_SENT_BYTES],
] as const;
/** No call takes longer. */
const TIMEOUT_MS = 60_000;

/** What the first engine has for all (architecture.md#engines). */
const SHARED: ReadonlySet<string> = new Set(
  [captcha, newsList, newsArticle, popularList, traderList].map(({ path }) => path),
);

type Values = Readonly<Record<string, unknown>>;

/** Calls that name the account they are about: those who make them have no token yet. */
const NAMED: ReadonlyMap<string, (values: Values) => AccountName | undefined> = new Map([
  [login.path, ({ login_type, account }: Values) => addressName(login_type, account)],
  [register.path, ({ type, account }: Values) => addressName(type, account)],
  [forgetPassword.path, ({ type, account }: Values) => addressName(type, account)],
  [sendEmail.path, (values: Values) => receiverOf('email', values)],
  [sendSms.path, (values: Values) => receiverOf('mobile', values)],
  [openDemo.path, ({ demo_id }: Values) => ({ kind: 'demo', value: `${demo_id}`.toLowerCase() })],
]);

/** A payout's code goes to the user's own address, whichever is given: there the token decides. */
function receiverOf(kind: AddressKind, { type, to }: Values): AccountName | undefined {
  return Number(type) === CODE_TYPES.payout ? undefined : addressName(kind, to);
}

/** What the engine of a passkey has called its user: it begins as tokens do. */
function handleOf({ response }: Values): string {
  const { response: inner } = (response ?? {}) as { response?: { userHandle?: unknown } | null };
  return Buffer.from(String(inner?.userHandle ?? ''), 'base64url').toString();
}

function addressName(kind: unknown, account: unknown): AccountName | undefined {
  const text = String(account ?? '');
  if (text === '') return undefined;
  const { type, address: value } = toAddress(kind === 'mobile' ? kind : 'email', text);
  return { kind: type, value };
}

/**
 * Passes all calls that are not this process's own to the engine of their account: by the token, or by the name that they
 * give. What belongs to no account goes to the first engine.
 */
export async function forwardCalls(
  app: FastifyInstance,
  { addressOf, placeOf }: ForwardingOptions,
): Promise<void> {
  const shardOf = async (request: FastifyRequest): Promise<number> => {
    const path = pathOf(request);
    if (SHARED.has(path)) return 1;
    const token = request.headers.authorization;
    if (path === passkeyLogin.path) return shardOfToken(handleOf(valuesOf(request)));
    const name = NAMED.get(path)?.(valuesOf(request));
    if (name && isUsable(name)) return placeOf(name);
    if (path.startsWith(PICTURE_PATH)) {
      const { engine } = request.query as { engine?: unknown };
      if (typeof engine === 'string' && /^\d{1,2}$/.test(engine)) return Number(engine);
    }
    return token ? shardOfToken(token) : 1;
  };

  await app.register(async (scope) => {
    await scope.register(replyFrom, {
      disableRequestLogging: true,
      // Addresses have parameters, which may be secret.
      disableCache: true,
      // Whoever asked repeats what may be repeated, with its key.
      retryMethods: [],
      maxRetriesOn503: 0,
      undici: { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, connections: 256 },
    });
    // Passed on as it came: the engine reads it.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    const forward = async (request: FastifyRequest, reply: FastifyReply) => {
      const address = addressOf(await shardOf(request));
      if (address === undefined) throw new DatabaseUnavailable();
      const { 'content-type': contentType = 'application/octet-stream' } = request.headers;
      const hasBody = request.method !== 'GET' && Buffer.isBuffer(request.body);
      return reply.from(address + targetOf(request), {
        ...(hasBody && { body: request.body, contentType }),
        rewriteRequestHeaders: (_raw, headers) => ({
          ...withoutHops(headers, hasBody),
          'x-forwarded-for': forwardedFor(request),
          'x-forwarded-host': request.host,
          'x-forwarded-proto': request.protocol,
          'x-request-id': request.id,
        }),
        // The policy names the host that was asked, which is this one.
        rewriteHeaders: ({ 'content-security-policy': _policy, ...headers }) =>
          withoutHops(headers, true),
        onError: (failed, { error }) => {
          failed.send(new DatabaseUnavailable({ cause: error }));
        },
      });
    };
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
    scope.route({ method: [...methods], url: '/*', handler: forward });
    const places = new UploadPlaces();
    for (const [declared, bodyLimit] of LARGE_BODIES) {
      scope.route({
        method: 'POST',
        url: declared.path,
        bodyLimit,
        // Before the body is read, which this process keeps until its end.
        async onRequest(request, reply) {
          const caller = await callerOf(app, request, declared.access).catch((error: unknown) => {
            // Without NATS nobody here knows tokens; the engine does.
            if (error instanceof DatabaseUnavailable) return undefined;
            throw error;
          });
          if (declared !== uploadPicture) return;
          finished(reply.raw, places.take(caller, request.countedAddress));
        },
        handler: forward,
      });
    }
  });
}

/** Path and query; a client may send a whole address. */
function targetOf({ raw }: FastifyRequest): string {
  const target = (raw.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
  return target.startsWith('/') ? target : `/${target}`;
}

function pathOf(request: FastifyRequest): string {
  return targetOf(request).split('?', 1)[0] ?? '/';
}

/** What is said between two neighbours, and what a request without a body does not have. */
const HOPS = ['connection', 'keep-alive', 'transfer-encoding', 'expect', 'upgrade', 'te'];
const OF_BODY = ['content-length', 'content-type'];

function withoutHops<T extends object>(headers: T, hasBody: boolean): T {
  const dropped = hasBody ? HOPS : [...HOPS, ...OF_BODY];
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !dropped.includes(name)),
  ) as T;
}

/** The parameters of a call, as far as they can be read. */
function valuesOf({ method, query, body, headers }: FastifyRequest): Values {
  if (method === 'GET') return query as Values;
  if (!Buffer.isBuffer(body)) return {};
  const text = body.toString('utf8');
  if (/^application\/x-www-form-urlencoded/i.test(headers['content-type'] ?? '')) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    const values: unknown = JSON.parse(text);
    return typeof values === 'object' && values !== null ? (values as Values) : {};
  } catch {
    return {};
  }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Others are refused by whichever engine reads them. */
function isUsable({ kind, value }: AccountName): boolean {
  return kind === 'demo' ? UUID.test(value) : value.length <= 254 && !value.includes('\0');
}

function forwardedFor({ headers, raw }: FastifyRequest): string {
  const before = headers['x-forwarded-for'];
  const peer = raw.socket.remoteAddress ?? '';
  return before ? `${before}, ${peer}` : peer;
}
