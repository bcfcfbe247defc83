import { DatabaseUnavailable } from '../db/unavailable';

/** The account is on its way to another engine: the client asks again. */
export class AccountLeaving extends DatabaseUnavailable {
  constructor() {
    super({}, 'The account is on its way to another engine.');
    this.name = 'AccountLeaving';
  }
}

/** The account lives at another engine now. */
export class AccountMoved extends Error {
  readonly shard: number;

  constructor(shard: number) {
    super(`The account lives at engine ${shard}.`);
    this.name = 'AccountMoved';
    this.shard = shard;
  }
}

/** Whose accounts are leaving this engine, or have left it: their calls are refused, once those that run have ended. */
export class Departures {
  private readonly leaving = new Set<number>();
  /** The engines of those that have left since this process began: who was authenticated before may still come. */
  private readonly left = new Map<number, number>();
  /** How many calls run, by user. */
  private readonly running = new Map<number, number>();
  private readonly waiting = new Map<number, () => void>();

  /** Throws AccountLeaving or AccountMoved where no call of the user may begin. */
  check(userId: number): void {
    const shard = this.left.get(userId);
    if (shard !== undefined) throw new AccountMoved(shard);
    if (this.leaving.has(userId)) throw new AccountLeaving();
  }

  /** Throws, as `check`, where no call of the user may change anything any more. */
  checkChange(userId: number): void {
    if (!this.running.has(userId)) this.check(userId);
  }

  /** Runs a call of a user. Throws, as `check`, where it is too late. */
  async during<T>(userId: number, call: () => T | Promise<T>): Promise<T> {
    this.check(userId);
    this.running.set(userId, (this.running.get(userId) ?? 0) + 1);
    try {
      return await call();
    } finally {
      const left = (this.running.get(userId) ?? 1) - 1;
      if (left > 0) this.running.set(userId, left);
      else {
        this.running.delete(userId);
        this.waiting.get(userId)?.();
      }
    }
  }

  /** Refuses calls of this user from now on. Resolves when none runs any more. */
  begin(userId: number): Promise<void> {
    this.leaving.add(userId);
    if (!this.running.has(userId)) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.set(userId, () => {
        this.waiting.delete(userId);
        resolve();
      });
    });
  }

  /** The account has left for this engine. */
  end(userId: number, shard: number): void {
    this.stay(userId);
    this.left.set(userId, shard);
  }

  /** The account is here again, or has stayed. */
  stay(userId: number): void {
    this.left.delete(userId);
    this.leaving.delete(userId);
    this.waiting.delete(userId);
  }
}
