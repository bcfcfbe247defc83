import type { Clock } from '../core/clock';
import type { Caller } from '../http/route';
import type { PrivateMessage } from '../socket/logins';
import { type Bus, fromJson, SUBJECTS, toJson } from './bus';
import { EngineAnnouncer } from './engineNews';
import type { Epochs } from './epochs';

/** A message for a user's sockets, with its number among those to this user. */
export interface Pushed {
  sequence: number;
  message: PrivateMessage;
}

/** Whose session it is; null: nobody's. */
export type FoundSession = Caller | null;

/** An answer of the engine of this epoch. */
export interface OfEpoch<T> {
  epoch: number;
  value: T;
}

export interface EngineBusOptions {
  bus: Bus;
  clock: Clock;
  epochs: Epochs;
  /** Which engine this is. */
  shard: number;
  /** Whether there are others. */
  divided: boolean;
  /** The user of the token with this hash. */
  authenticate(tokenHash: string): Promise<Caller | undefined>;
}

/** The engine's side of the bus: what gateways have to know about its users. */
export class EngineBus {
  private readonly options: EngineBusOptions;
  private readonly announcer: EngineAnnouncer;
  /** The number of the last message to each user. */
  private readonly pushed = new Map<number, number>();

  constructor(options: EngineBusOptions) {
    this.options = options;
    this.announcer = new EngineAnnouncer(options);
  }

  /** Once the engine takes calls at this address. */
  start(url: string): void {
    const { bus, shard, authenticate } = this.options;
    bus.answer(SUBJECTS.session(shard), async (data) =>
      this.answer<FoundSession>((await authenticate(fromJson(data))) ?? null),
    );
    bus.answer(SUBJECTS.pushed(shard), (data) => this.answer(this.pushed.get(fromJson(data)) ?? 0));
    this.announcer.start(url);
  }

  stop(): void {
    this.announcer.stop();
  }

  /** Call it after the commit, in order. */
  toUser(userId: number, message: PrivateMessage): void {
    const sequence = (this.pushed.get(userId) ?? 0) + 1;
    this.pushed.set(userId, sequence);
    const pushed: Pushed = { sequence, message };
    this.options.bus.publish(SUBJECTS.user(userId), toJson(pushed));
  }

  endSession(sessionId: number): void {
    this.announcer.endSession(sessionId);
  }

  private answer<T>(value: T): Uint8Array {
    const answer: OfEpoch<T> = { epoch: this.options.epochs.present, value };
    return toJson(answer);
  }
}
