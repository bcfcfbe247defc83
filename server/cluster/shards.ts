import { createHash } from 'node:crypto';

/** Which part of the accounts an engine has: the `index`-th of `count`, from 1. */
export interface Shard {
  index: number;
  count: number;
}

/** Accounts that are not divided. */
export const WHOLE: Shard = { index: 1, count: 1 };

/** An id of the database is a whole number of 31 bits: each engine has its own range of 2^26. */
export const MOST_SHARDS = 32;
export const IDS_OF_SHARD = 2 ** 26;

/** The first engine's tokens are those of a server that is alone, so that sessions last when it gets company. */
const TOKEN = /^(?:([1-9]\d?)\.)?[\w-]{43}$/;

/** What a new token of an engine begins with. */
export function tokenPrefix(index: number): string {
  return index === 1 ? '' : `${index}.`;
}

/** The engine that has made this token; 1 where the text is none. */
export function shardOfToken(token: string): number {
  const index = Number(TOKEN.exec(token)?.[1] ?? 1);
  return index <= MOST_SHARDS ? index : 1;
}

/** The engine that new accounts of this name go to: always the same one of `open`. */
export function shardOfName(name: string, open: readonly number[]): number {
  const number = createHash('sha256').update(name).digest().readUInt32LE(0);
  return open[number % open.length] ?? 1;
}
