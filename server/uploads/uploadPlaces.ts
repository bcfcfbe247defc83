import { networkOf } from '../http/network';
import { TooManyRequests } from '../http/refusal';
import type { Caller } from '../http/route';

/** Most uploads at once, of all, of a network and of a user: each is in memory until it is re-encoded. */
const MOST = 40;
const MOST_OF_NETWORK = 8;
const MOST_OF_USER = 2;
const BUSY_SECONDS = 5;

/** The uploads that run. */
export class UploadPlaces {
  private readonly taken = new Map<string, number>();

  /** Takes a place until the function that it returns is called, once. Throws TooManyRequests where there is none. */
  take(caller: Caller | undefined, address: string): () => void {
    const network = networkOf(address);
    const limits = [
      ['all', MOST],
      ...(caller ? [[`user ${caller.userId}`, MOST_OF_USER] as const] : []),
      ...(network === undefined ? [] : [[`network ${network}`, MOST_OF_NETWORK] as const]),
    ] as const;
    if (limits.some(([key, most]) => this.count(key) >= most)) {
      throw new TooManyRequests(BUSY_SECONDS);
    }
    for (const [key] of limits) this.taken.set(key, this.count(key) + 1);
    return () => {
      for (const [key] of limits) {
        const left = this.count(key) - 1;
        if (left > 0) this.taken.set(key, left);
        else this.taken.delete(key);
      }
    };
  }

  private count(key: string): number {
    return this.taken.get(key) ?? 0;
  }
}
