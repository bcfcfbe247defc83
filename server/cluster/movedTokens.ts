import { tokenHash } from '../account/tokenHash';
import { shardOfToken } from './shards';

/** What is forgotten, an engine says again. */
const MOST_KNOWN = 10_000;
/** An account that has moved more often between two calls is asked for again by the client. */
export const MOST_HOPS = 4;

/** Which engine has the session of a token: the one that it names, unless its account has moved. */
export class MovedTokens {
  private readonly shards = new Map<string, number>();

  shardOf(token: string): number {
    const hash = this.shards.size > 0 ? tokenHash(token) : undefined;
    return (hash && this.shards.get(hash)) || shardOfToken(token);
  }

  /** The engine that was asked has said where the account is now. */
  learn(token: string, shard: number): void {
    const hash = tokenHash(token);
    if (hash === undefined) return;
    this.shards.delete(hash);
    this.shards.set(hash, shard);
    const [oldest] = this.shards.keys();
    if (this.shards.size > MOST_KNOWN && oldest !== undefined) this.shards.delete(oldest);
  }
}
