import type { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { type ClientBase, Pool, type PoolClient, type PoolConfig } from 'pg';
import type { Log } from '../core/log';
import { DatabaseDamaged, isDamage } from './damage';
import { DatabaseUnavailable } from './unavailable';

type Done = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

export interface PostgresPoolOptions {
  /** While it returns false, nobody gets a connection. */
  isUsable(): boolean;
  /** Whether a new connection may be used. */
  verify?(client: ClientBase): Promise<boolean>;
  /** Called where PostgreSQL has found damaged pages. */
  damaged?(error: DatabaseDamaged): void;
  log?: Log | undefined;
}

/** A pool whose connections may break at any time: while they are idle, and in the middle of a transaction. */
export class PostgresPool extends Pool {
  private readonly isUsable: () => boolean;
  private readonly sockets: Set<Socket>;

  constructor(config: PoolConfig, options: PostgresPoolOptions) {
    const { isUsable, verify, damaged, log = console } = options;
    const sockets = new Set<Socket>();
    const verifying = (client: ClientBase, done: (error?: Error) => void) => {
      verify?.(client).then((good) => done(good ? undefined : new DatabaseUnavailable()), done);
    };
    super({
      ...config,
      ...(verify && { verify: verifying }),
      stream: () => {
        const socket = new Socket();
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        return socket;
      },
    });
    this.isUsable = isUsable;
    this.sockets = sockets;
    // The pool replaces a connection that breaks while idle. Without a listener the error would end the process.
    this.on('error', (error) => log.error(`PostgreSQL: ${error.message}`));
    this.on('connect', (client) => {
      // Here, because what fails beside a call is told to nobody else.
      const { connection } = client as unknown as { connection: EventEmitter };
      connection.on('errorMessage', (error: Error) => {
        if (isDamage(error)) damaged?.(new DatabaseDamaged(error));
      });
    });
  }

  /** Breaks all connections, also those that wait for an answer. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
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
