import type { Caller } from '../http/route';
import type { PrivateMessage } from '../socket/logins';
import { type Bus, fromJson, SUBJECTS } from './bus';
import type { Pushed } from './engineBus';

interface Subscription {
  /** The engine that has the account. */
  shard: number;
  /** The number of the last message; undefined before the engine has said it. */
  last: number | undefined;
  ready: Promise<void>;
  stop(): void;
}

export interface UserPushesOptions {
  bus: Bus;
  /** Asks the engine of these accounts; rejects where it does not answer, or is not the one at work. */
  ask<T>(shard: number, subject: (shard: number) => string, question: unknown): Promise<T>;
  toUser(userId: number, message: PrivateMessage): void;
  /** A message to this user was lost. */
  onGap(userId: number): void;
}

/** Private messages of the engines to those users who are logged in at this gateway. */
export class UserPushes {
  private readonly options: UserPushesOptions;
  private readonly users = new Map<number, Subscription>();

  constructor(options: UserPushesOptions) {
    this.options = options;
  }

  /** Resolves when no later message to this user can be missed without notice. */
  join({ userId, shard = 1 }: Caller): Promise<void> {
    const known = this.users.get(userId);
    if (known) return known.ready;
    const { bus, ask } = this.options;
    const stop = bus.listen(SUBJECTS.user(userId), (data) => this.receive(userId, data));
    // Asked after subscribing, and answered after what was sent before: nothing falls in between.
    const ready = ask<number>(shard, SUBJECTS.pushed, userId).then((last) => {
      subscription.last = Math.max(subscription.last ?? 0, last);
    });
    const subscription: Subscription = { shard, last: undefined, ready, stop };
    this.users.set(userId, subscription);
    ready.catch(() => {
      if (this.users.get(userId) === subscription) this.leave(userId);
    });
    return ready;
  }

  leave(userId: number): void {
    this.users.get(userId)?.stop();
    this.users.delete(userId);
  }

  /** Messages of this engine to any of its users may be lost. */
  missed(shard: number): void {
    for (const [userId, { shard: own }] of [...this.users]) {
      if (own !== shard) continue;
      // A new engine counts anew. Who logs in again asks it, even while an old socket of the user is still closing.
      this.leave(userId);
      this.options.onGap(userId);
    }
  }

  private receive(userId: number, data: Uint8Array): void {
    const subscription = this.users.get(userId);
    if (!subscription) return;
    const { sequence, message } = fromJson<Pushed>(data);
    const { last } = subscription;
    // It came twice, or after a newer one, whose gap is told. An engine that begins to count anew is a gap of its own.
    if (last !== undefined && sequence <= last) return;
    subscription.last = sequence;
    this.options.toUser(userId, message);
    if (last !== undefined && sequence !== last + 1) this.options.onGap(userId);
  }
}
