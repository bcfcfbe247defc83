import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { BrowserContext } from '@playwright/test';
import type { Person } from '../e2e/helpers/people';

/** The commit of the release that wrote the fixtures beside this file. */
export const FORMER = '6ff9ead1';

/** The first commit whose messages between processes have the present version: a cluster of it is upgraded process by process. */
export const SAME_MESSAGES = '2033bae5';

/** The database of the former server. */
export type FormerDatabase = 'pglite' | 'postgresql';

/** The state that the former release left when its server was killed. */
export interface Former {
  /** Unix ms. */
  killedAt: number;
  /** Has rows in every list, and is logged in. */
  ada: Person & { token: string };
  /** Has a second factor, whose secret is in base32. */
  bob: Person & { secret: string };
  /** Orders of Ada without an answer: the server placed the first and never received the second. */
  unanswered: { key: string; path: string }[];
}

export type BrowserState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Everything of one database: the data directory, the tables in PostgreSQL, and the browser's storage. */
export interface FormerFiles {
  former: Former;
  data: string;
  tables?: string;
  browser?: BrowserState;
}

export function writeFormer(database: FormerDatabase, files: FormerFiles): void {
  const { former, data, tables, browser } = files;
  mkdirSync(fileOf(database, ''), { recursive: true });
  writeFileSync(fileOf(database, 'former.json'), `${JSON.stringify(former, undefined, 2)}\n`);
  const tar = ['-c', '-C', data, '--sort=name', '--owner=0', '--group=0', '.'];
  compress(database, 'data.tar.br', execFileSync('tar', tar, { maxBuffer: 2 ** 28 }));
  if (tables) compress(database, 'tables.sql.br', Buffer.from(tables));
  if (browser) compress(database, 'browser.json.br', Buffer.from(JSON.stringify(browser)));
}

export function readFormer(database: FormerDatabase): Former {
  return JSON.parse(readFileSync(fileOf(database, 'former.json'), 'utf8'));
}

/** Unpacks the data directory. */
export function unpackData(database: FormerDatabase, to: string): void {
  execFileSync('tar', ['-x', '-C', to], { input: decompress(database, 'data.tar.br') });
}

/** The output of `pg_dump`. */
export function readTables(): string {
  return decompress('postgresql', 'tables.sql.br').toString();
}

export function readBrowser(): BrowserState {
  return JSON.parse(decompress('pglite', 'browser.json.br').toString());
}

function fileOf(database: FormerDatabase, name: string): string {
  return join(import.meta.dirname, FORMER, database, name);
}

function compress(database: FormerDatabase, name: string, contents: Buffer): void {
  // PGlite's three databases repeat each other: the window has to hold them.
  const params = {
    [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
    [constants.BROTLI_PARAM_LGWIN]: 26,
  };
  writeFileSync(fileOf(database, name), brotliCompressSync(contents, { params }));
}

function decompress(database: FormerDatabase, name: string): Buffer {
  const params = { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 };
  return brotliDecompressSync(readFileSync(fileOf(database, name)), { params });
}
