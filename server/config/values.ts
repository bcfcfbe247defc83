import { z } from 'zod';
import { isEmail } from '#domain/account/address';
import { MOST_SHARDS, type Shard } from '../cluster/shards';
import { toOrigin } from '../http/origins';
import { isCode } from '../market/code';

/**
 * Schemas of option values. Each reads the text of a flag or an environment variable; its
 * message says what it expects.
 */

export const text = z.string();

export const flag = z.stringbool({
  truthy: ['true', '1'],
  falsy: ['false', '0', ''],
  error: 'expects true or false',
});

export function wholeNumber(least: number, most: number) {
  return range(/^\d{1,9}$/, least, most, `expects a whole number from ${least} to ${most}`);
}

/** A port, where 0 takes a free one; empty is none. */
export const port = z.union([z.literal('').transform(() => undefined), wholeNumber(0, 65_535)], {
  error: 'expects a whole number from 0 to 65535',
});

export function decimalNumber(least: number, most: number) {
  return range(/^\d{1,9}(\.\d{1,9})?$/, least, most, `expects a number from ${least} to ${most}`);
}

function range(pattern: RegExp, least: number, most: number, expected: string) {
  const bounds = z.number().min(least, expected).max(most, expected);
  return z.string().regex(pattern, expected).transform(Number).pipe(bounds);
}

export function oneOf<const T extends number>(...values: T[]) {
  const expected = `expects one of ${values.join(', ')}`;
  return z.enum(values.map(String), expected).transform((value) => Number(value) as T);
}

export const speed = z.union([z.literal('max'), decimalNumber(0.001, 1_000_000)], {
  error: 'expects max or a number from 0.001 to 1000000',
});

/** One of these words. */
export function word<const T extends string>(...known: T[]) {
  return z.enum(known, `expects ${known.join(' or ')}`);
}

export const role = z.enum(
  ['all', 'feed', 'engine', 'gateway'],
  'expects all, feed, engine or gateway',
);

const SHARD_EXPECTED = `expects I/N, such as 1/2, at most ${MOST_SHARDS}/${MOST_SHARDS}`;
/** Which part of the accounts; empty: all of them. */
export const shard = z.string().transform((text, context): Shard | undefined => {
  if (text === '') return undefined;
  const [, index, count] = (/^([1-9]\d?)\/([1-9]\d?)$/.exec(text) ?? []).map(Number);
  if (index && count && index <= count && count <= MOST_SHARDS) return { index, count };
  context.addIssue(SHARD_EXPECTED);
  return z.NEVER;
});

/** Numbers of engines. */
export const shards = list(
  range(/^\d{1,2}$/, 1, MOST_SHARDS, `expects numbers of engines such as 2,3`),
);

export const natsUrl = z
  .string()
  .regex(/^((nats|tls):\/\/[^,\s]+(,(nats|tls):\/\/[^,\s]+)*)?$/, 'expects nats://host:port');

/** Words, separated by commas. */
export function words<const T extends string>(...known: T[]) {
  return list(z.enum(known, `expects ${known.join(', ')}`));
}

const ORIGIN_EXPECTED = 'expects origins such as https://m.example.com';
const someOrigin = z.string().transform((origin, context) => {
  try {
    return toOrigin(origin);
  } catch {
    context.addIssue(ORIGIN_EXPECTED);
    return z.NEVER;
  }
});
export const origins = list(someOrigin);
/** Empty is none. */
export const origin = z.union([z.literal(''), someOrigin], { error: ORIGIN_EXPECTED });

export const proxies = list(
  z.union(
    [z.enum(['loopback', 'linklocal', 'uniquelocal']), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
    { error: 'expects addresses of proxies such as 127.0.0.1 or 10.0.0.0/8' },
  ),
);

export const title = z.string().trim().min(1, 'expects a text');

export const listenAddress = z.string().trim().min(1, 'expects an address such as 0.0.0.0');

export const host = z
  .string()
  .regex(/^([\w.-]+(:\d{1,5})?)?$/, 'expects a host such as api.example.com');

export const email = z
  .string()
  .refine((address) => address === '' || isEmail(address), 'expects an email address');

export const httpsUrl = z.union([z.literal(''), z.url({ protocol: /^https$/ })], {
  error: 'expects an https address',
});

export const codes = list(
  z.string().refine((code) => isCode(code) && /.\/./.test(code), 'expects codes such as BTC/USD'),
);

const WEBSOCKET_EXPECTED = 'expects a ws or wss address';
export const websocketUrl = z.union(
  [z.literal(''), z.url({ protocol: /^wss?$/, error: WEBSOCKET_EXPECTED })],
  { error: WEBSOCKET_EXPECTED },
);

const HTTP_EXPECTED = 'expects an http or https address';
export const httpUrl = z.union(
  [z.literal(''), z.url({ protocol: /^https?$/, error: HTTP_EXPECTED })],
  { error: HTTP_EXPECTED },
);

export const smtpUrl = z
  .string()
  .refine(
    (url) => url === '' || isSmtpUrl(url),
    'expects smtps://user:password@host, with signs such as # / @ in the password as %23 %2F %40',
  );

function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, pathname, hash } = new URL(text);
  // A sign of the password that is not escaped ends the host too early, and the rest becomes a path.
  return /^smtps?:$/.test(protocol) && host !== '' && /^\/?$/.test(pathname) && hash === '';
}

export const postgresUrl = z.string().regex(/^(postgres(ql)?:\/\/.*)?$/, 'expects postgresql://…');

/** Items separated by commas; empty items are dropped. */
function list<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z
    .string()
    .transform((items) =>
      items
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    )
    .pipe(z.array(item));
}
