import type { AxiosAdapter } from 'axios';
import type { DurationMs, UnixMs } from '#domain/core/time';

/** Time. Injected, so that tests run hours in milliseconds. */
export interface Clock {
  /** The wall clock. Parts of the worker get one that is not set back (`createSteadyTime`). */
  now(): UnixMs;
  /** Runs `task` once, `wait` from now. Returns a function that cancels it. */
  after(wait: DurationMs, task: () => void): () => void;
}

/** Where malformed messages and failures of the storage are reported (protocol.md#malformed-messages). */
export interface Logger {
  log(message: string, detail?: unknown): void;
  warn(message: string, detail?: unknown): void;
}

/** What `Storage.get` returns where the database does not answer: nothing that is made of it may be stored in its place. */
export const UNREAD = Symbol('unread');

/** Keys and values that outlive the page. Never rejects: while the database fails, it has what was stored in this visit. */
export interface Storage {
  get(key: string): Promise<unknown>;
  /** `isCopy`: of what the server has, so that nobody misses it. Resolves once it is stored, or can't be for now. */
  set(key: string, value: unknown, isCopy?: boolean): Promise<void>;
  remove(key: string): Promise<void>;
  /** Another tab has stored a newer value: what could not be written here is not written later. */
  superseded(key: string): void;
  /** The values of all keys that begin with `prefix`; what was stored in this visit where the database does not answer. */
  all(prefix: string): Promise<unknown[]>;
  listen(listener: StorageListener): void;
  /** A hidden page may be suspended at any time: it holds the database only while it reads or writes. */
  setVisible(visible: boolean): void;
}

export interface StorageListener {
  /** The database answers again: what could not be read can be. */
  recovered(): void;
  /** Whether it lacks something that the user would miss. */
  unsavedChanged(unsaved: boolean): void;
}

/** Which tabs of this browser are alive: each holds a lock until it ends (architecture.md#several-tabs). */
export interface TabLocks {
  /** The name of this tab's lock. */
  readonly own: string;
  /** Resolves once it is held. */
  readonly held: Promise<void>;
  /** Takes the lock of another tab and returns the function that releases it; undefined while that tab is alive. */
  take(tab: string): Promise<(() => void) | undefined>;
}

/** The app in other tabs of this browser (architecture.md#several-tabs). */
export interface OtherTabs {
  /** Makes the other tabs use this token; empty: nobody is logged in any more, `refused` by the server. */
  publishToken(token: string, refused?: boolean): void;
  onToken(listener: (token: string, refused?: boolean) => void): void;
  /** Tells the other tabs that the stored alerts of this device have changed. */
  publishAlerts(): void;
  onAlerts(listener: () => void): void;
}

/** The part of WebSocket that is used. */
export interface RawSocket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(): void;
}

/** Everything outside of the worker: real in client.worker.ts, scripted in tests (architecture.md#ports). */
export interface Ports {
  clock: Clock;
  /** From 0 to 1, as Math.random. */
  random: () => number;
  openSocket: (url: string) => RawSocket;
  storage: Storage;
  logger: Logger;
  otherTabs: OtherTabs;
  tabLocks: TabLocks;
  /** Sends HTTP requests; where absent, axios' own fetch adapter. */
  adapter?: AxiosAdapter;
  /** Milliseconds since any moment, in fractions: nobody can set it, but it stops while some devices sleep. */
  stopwatch: () => number;
}
