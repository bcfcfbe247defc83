import { gunzipSync, gzipSync } from 'node:zlib';
import type { UnixMs } from '#domain/core/time';
import { DatabaseUnavailable } from '../../db/unavailable';
import { type Bus, fromJson, SUBJECTS, toJson } from '../bus';

/** An account that moves. */
export interface Move {
  id: string;
  userId: number;
  /** The number that users see. */
  uid: string;
  from: number;
  to: number;
  /** The feed's clock after whose ticks nothing was matched for the account. */
  since: UnixMs;
}

/** What one engine asks of another about a move (architecture.md#moving-an-account). */
export type MoveStep =
  /** Whether the account could come: nothing is changed. */
  | { step: 'ask'; userId: number; uid: string }
  /** A part of what the next step needs, kept in memory until then. */
  | { step: 'part'; from: number; index: number; data: string }
  /** Has the account from now on. */
  | { step: 'arrive'; move: Move }
  /** Says whether the account has come. If not, it never will by this move. */
  | { step: 'settle'; move: Move }
  /** Keeps the file of a picture of an account that has come. */
  | { step: 'picture'; from: number; id: string }
  /** Whether the engine that the account came from has finished. */
  | { step: 'finished'; id: string };

export interface MoveAnswer {
  /** What an operator has to know; absent where nothing is wrong. */
  refusal?: string;
  /** Of `settle` and `finished`. */
  yes?: boolean;
}

/** Of a message, which NATS limits to 1 MiB: bytes before base64. */
const PART_BYTES = 512 * 1024;

/** Throws DatabaseUnavailable where the other engine does not answer: whether it has done it is not known. */
export async function askEngine(bus: Bus, shard: number, step: MoveStep): Promise<MoveAnswer> {
  try {
    return fromJson(await bus.ask(SUBJECTS.move(shard), toJson(step)));
  } catch (cause) {
    throw new DatabaseUnavailable({ cause }, `Engine ${shard} does not answer.`);
  }
}

/** Sends what the next step of this engine needs. */
export async function sendParts(bus: Bus, from: number, to: number, bytes: Buffer): Promise<void> {
  const packed = gzipSync(bytes);
  for (let index = 0; index * PART_BYTES < packed.length; index++) {
    const part = packed.subarray(index * PART_BYTES, (index + 1) * PART_BYTES);
    await askEngine(bus, to, { step: 'part', from, index, data: part.toString('base64') });
  }
}

/** Parts that have come from other engines, which each send one thing at a time. */
export class ReceivedParts {
  private readonly parts = new Map<number, (Buffer | undefined)[]>();

  add({ from, index, data }: { from: number; index: number; data: string }): void {
    const parts = index === 0 ? [] : (this.parts.get(from) ?? []);
    parts[index] = Buffer.from(data, 'base64');
    this.parts.set(from, parts);
  }

  /** Throws where some are missing, as after a restart. */
  take(from: number): Buffer {
    const parts = [...(this.parts.get(from) ?? [])];
    this.parts.delete(from);
    if (parts.length === 0 || parts.includes(undefined)) throw new Error('parts of it are missing');
    return gunzipSync(Buffer.concat(parts.filter((part) => part !== undefined)));
  }
}
