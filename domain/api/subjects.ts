/** The declared calls by subject; a subject is loaded by its first call. The page imports the types only. */
import type { Answered, Asked } from './call';

export const SUBJECTS = {
  account: () => import('./account'),
  alerts: () => import('./alerts'),
  companies: () => import('./companies'),
  market: () => import('./market'),
  mining: () => import('./mining'),
  news: () => import('./news'),
  push: () => import('./push'),
  ranking: () => import('./ranking'),
  security: () => import('./security'),
  settings: () => import('./settings'),
  user: () => import('./user'),
  wallet: () => import('./wallet'),
};

type Calls = { [S in keyof typeof SUBJECTS]: Awaited<ReturnType<(typeof SUBJECTS)[S]>> };

/** The names of a subject's calls. */
type Names<S extends keyof Calls> = {
  [N in keyof Calls[S] & string]: Calls[S][N] extends { readonly answer: unknown }
    ? `${S}.${N}`
    : never;
}[keyof Calls[S] & string];

/** A call, as `<subject>.<name>`: its subject, and its name there. */
export type CallName = { [S in keyof Calls]: Names<S> }[keyof Calls];

type Declared<Name extends CallName> = Name extends `${infer S extends keyof Calls}.${infer N}`
  ? Calls[S][N & keyof Calls[S]]
  : never;

export type ParamsOf<Name extends CallName> = Asked<Declared<Name>>;
export type AnswerOf<Name extends CallName> = Answered<Declared<Name>>;
