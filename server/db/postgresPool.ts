import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { Log } from '../core/log';
import { DatabaseUnavailable } from './unavailable';

type Done = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool whose connections may break at any time: while they are idle, and in the middle of a transaction. */
export class PostgresPool extends Pool {
  private readonly isUsable: () => boolean;

  /** While `isUsable` returns false, nobody gets a connection. */
  constructor(config: PoolConfig, isUsable: () => boolean, log: Log = console) {
    super(config);
    this.isUsable = isUsable;
    // The pool replaces a connection that breaks while idle. Without a listener the error would end the process.
    this.on('error', (error) => log.error(`PostgreSQL: ${error.message}`));
  }

  override connect(): Promise<PoolClient>;
  override connect(done: Done): void;
  override connect(done?: Done): Promise<PoolClient> | undefined {
    if (!done) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => {
          if (client) resolve(client);
          else reject(error);
        });
      });
    }
    if (!this.isUsable()) {
      done(new DatabaseUnavailable(), undefined, () => {});
      return undefined;
    }
    super.connect((error, client) => {
      if (!client) return done(new DatabaseUnavailable({ cause: error }), undefined, () => {});
      guard(client);
      done(undefined, client, (reason) => client.release(reason as Error | undefined));
    });
    return undefined;
  }
}

/**
 * Releases a connection when it breaks in use. Nobody else listens for the error between two queries, and drizzle
 * never releases the connection where `begin` fails.
 */
function guard(client: PoolClient): void {
  const { release } = client;
  const broken = (error: Error) => client.release(error);
  let released = false;
  client.release = (error) => {
    if (released) return;
    released = true;
    client.off('error', broken);
    release.call(client, error);
  };
  client.on('error', broken);
}
