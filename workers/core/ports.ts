import type { AxiosAdapter } from 'axios';
import type { UnixMs } from '#domain/core/units';

/** Time, injected: the tests run hours in milliseconds. */
export interface Clock {
  /** The wall's. */
  now(): UnixMs;
  /** Runs `task` once, `ms` from now. Returns what cancels it. */
  after(ms: number, task: () => void): () => void;
}

/** Where §8's "logged" and "warned" go. */
export interface Logger {
  log(message: string, detail?: unknown): void;
  warn(message: string, detail?: unknown): void;
}

/** Keys and values that outlive the page. Never rejects: a broken store is an empty one. */
export interface Storage {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
}

/** The app in other tabs of this browser. */
export interface OtherTabs {
  /** They use this token from now on; empty: nobody is logged in any more. */
  publishToken(token: string): void;
  onToken(hear: (token: string) => void): void;
}

/** What of a WebSocket is used. */
export interface RawSocket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(): void;
}

/** Everything that the worker touches; real in gateway.worker.ts, scripted in tests. */
export interface Ports {
  clock: Clock;
  /** From 0 to 1, as Math.random. */
  random: () => number;
  openSocket: (url: string) => RawSocket;
  storage: Storage;
  logger: Logger;
  otherTabs: OtherTabs;
  /** How HTTP is sent; axios' own fetch where absent. */
  adapter?: AxiosAdapter;
  /** Ms since any moment, in fractions: what a piece of work takes. */
  stopwatch: () => number;
}
