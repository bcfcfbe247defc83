import { isIP } from 'node:net';
import * as v from 'valibot';
import { isEmail } from '#domain/account/address';
import { readUsd } from '#domain/core/readAmounts';
import type { Usd } from '#domain/core/units';
import { MOST_SHARDS, type Shard } from '../cluster/shards';
import { toOrigin } from '../http/origins';
import { isCode } from '../market/code';

/**
 * Schemas of option values. Each reads the text of a flag or an environment variable; its
 * message says what it expects.
 */

export const text = v.string();

export const flag = v.pipe(
  text,
  v.toLowerCase(),
  v.picklist(['true', '1', 'false', '0', ''], 'expects true or false'),
  v.transform((known) => known === 'true' || known === '1'),
);

export function wholeNumber(least: number, most: number) {
  return range(/^\d{1,9}$/, least, most, `expects a whole number from ${least} to ${most}`);
}

/** Empty is none. */
const none = v.pipe(
  v.literal(''),
  v.transform(() => undefined),
);

/** A port, where 0 takes a free one; empty is none. */
export const port = v.union(
  [none, wholeNumber(0, 65_535)],
  'expects a whole number from 0 to 65535',
);

export function decimalNumber(least: number, most: number) {
  return range(/^\d{1,9}(\.\d{1,9})?$/, least, most, `expects a number from ${least} to ${most}`);
}

function range(pattern: RegExp, least: number, most: number, expected: string) {
  return v.pipe(
    text,
    v.regex(pattern, expected),
    v.transform(Number),
    v.minValue(least, expected),
    v.maxValue(most, expected),
  );
}

export function oneOf<const T extends number>(...values: T[]) {
  const expected = `expects one of ${values.join(', ')}`;
  return v.pipe(
    v.picklist(values.map(String), expected),
    v.transform((value) => Number(value) as T),
  );
}

/** As the market has it where it is empty. */
export const quoteFill = v.union([none, oneOf(0, 1, 2)], 'expects one of 0, 1, 2');

export const speed = v.union(
  [v.literal('max'), decimalNumber(0.001, 1_000_000)],
  'expects max or a number from 0.001 to 1000000',
);

/** One of these words. */
export function word<const T extends string>(...known: T[]) {
  return v.picklist(known, `expects ${known.join(' or ')}`);
}

export const role = v.picklist(
  ['all', 'feed', 'engine', 'gateway'],
  'expects all, feed, engine or gateway',
);

const SHARD_EXPECTED = `expects I/N, such as 1/2, at most ${MOST_SHARDS}/${MOST_SHARDS}`;
/** Which part of the accounts; empty: all of them. */
export const shard = v.pipe(
  text,
  v.rawTransform<string, Shard | undefined>(({ dataset, addIssue, NEVER }) => {
    if (dataset.value === '') return undefined;
    const [, index, count] = (/^([1-9]\d?)\/([1-9]\d?)$/.exec(dataset.value) ?? []).map(Number);
    if (index && count && index <= count && count <= MOST_SHARDS) return { index, count };
    addIssue({ message: SHARD_EXPECTED });
    return NEVER;
  }),
);

/** Numbers of engines. */
export const shards = list(
  range(/^\d{1,2}$/, 1, MOST_SHARDS, `expects numbers of engines such as 2,3`),
);

export const natsUrl = v.pipe(
  text,
  v.regex(/^((nats|tls):\/\/[^,\s]+(,(nats|tls):\/\/[^,\s]+)*)?$/, 'expects nats://host:port'),
);

/** Words, separated by commas. */
export function words<const T extends string>(...known: T[]) {
  return list(v.picklist(known, `expects ${known.join(', ')}`));
}

const LIMITS_EXPECTED = 'expects limits in USD such as EURUSD=2000000,*=500000';
/** USD by code; `*`: of all others. */
export const limits = v.pipe(
  list(
    v.pipe(
      text,
      v.rawTransform<string, readonly [string, Usd]>(({ dataset, addIssue, NEVER }) => {
        const [, code = '', amount] =
          /^([^=]+)=(\d{1,15}(?:\.\d{1,2})?)$/.exec(dataset.value) ?? [];
        const limit = readUsd(amount);
        if (limit && (code === '*' || isCode(code))) return [code, limit];
        addIssue({ message: LIMITS_EXPECTED });
        return NEVER;
      }),
    ),
  ),
  v.check(
    (limits) => new Set(limits.map(([code]) => code)).size === limits.length,
    LIMITS_EXPECTED,
  ),
  v.transform((limits): ReadonlyMap<string, Usd> => new Map(limits)),
);

const ORIGIN_EXPECTED = 'expects origins such as https://m.example.com';
const someOrigin = v.pipe(
  text,
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    try {
      return toOrigin(dataset.value);
    } catch {
      addIssue({ message: ORIGIN_EXPECTED });
      return NEVER;
    }
  }),
);
export const origins = list(someOrigin);
/** Empty is none. */
export const origin = v.union([v.literal(''), someOrigin], ORIGIN_EXPECTED);

export const proxies = list(
  checked(isProxy, 'expects addresses of proxies such as 127.0.0.1 or 10.0.0.0/8'),
);

/** An IP address, a subnet in CIDR notation, or a word of Fastify's `trustProxy`. */
function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', prefix = '0', ...more] = text.split('/');
  // Without a zone (fe80::1%eth0).
  const version = address.includes('%') ? 0 : isIP(address);
  const longest = version === 4 ? 32 : 128;
  const fits = /^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= longest;
  return version !== 0 && more.length === 0 && fits;
}

export const title = v.pipe(text, v.trim(), v.minLength(1, 'expects a text'));

export const listenAddress = v.pipe(
  text,
  v.trim(),
  v.minLength(1, 'expects an address such as 0.0.0.0'),
);

export const host = v.pipe(
  text,
  v.regex(/^([\w.-]+(:\d{1,5})?)?$/, 'expects a host such as api.example.com'),
);

export const email = checked(
  (address) => address === '' || isEmail(address),
  'expects an email address',
);

export const codes = list(
  checked((code) => isCode(code) && /.\/./.test(code), 'expects codes such as BTC/USD'),
);

export const httpsUrl = url(/^\s*https:\/\//i, 'expects an https address');
export const websocketUrl = url(/^\s*wss?:\/\//i, 'expects a ws or wss address');
export const httpUrl = url(/^\s*https?:\/\//i, 'expects an http or https address');

/** Empty is none. */
function url(start: RegExp, expected: string) {
  const fits = (text: string) => text === '' || (start.test(text) && URL.canParse(text));
  return v.pipe(checked(fits, expected), v.trim());
}

export const smtpUrl = checked(
  (url) => url === '' || isSmtpUrl(url),
  'expects smtps://user:password@host, with signs such as # / @ in the password as %23 %2F %40',
);

function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, pathname, hash } = new URL(text);
  // A sign of the password that is not escaped ends the host too early, and the rest becomes a path.
  return /^smtps?:$/.test(protocol) && host !== '' && /^\/?$/.test(pathname) && hash === '';
}

export const postgresUrl = v.pipe(
  text,
  v.regex(/^(postgres(ql)?:\/\/.*)?$/, 'expects postgresql://…'),
);

function checked(fits: (text: string) => boolean, expected: string) {
  return v.pipe(text, v.check(fits, expected));
}

/** Items separated by commas; empty items are dropped. */
function list<Item>(item: v.GenericSchema<string, Item>) {
  return v.pipe(
    text,
    v.transform((items) =>
      items
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    ),
    v.array(item),
  );
}
