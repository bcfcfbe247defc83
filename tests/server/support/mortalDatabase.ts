import type { PGlite, Transaction } from '@electric-sql/pglite';
import { drizzle as overPool } from 'drizzle-orm/node-postgres';
import { drizzle as overPglite } from 'drizzle-orm/pglite';
import { Pool, type PoolClient } from 'pg';
import type { Db } from '../../../server/db/database';
import * as schema from '../../../server/db/schema';
import { DatabaseUnavailable } from '../../../server/db/unavailable';

/** Throws where the process does not live. */
type Moment = () => void;

/**
 * The database as a process has it whose connection may break at any moment, as where the process is killed: `lives` is asked
 * before and after each statement, `commit` included. Where it returns false the statement fails, and its transaction is rolled back.
 */
export function mortalDatabase(db: Db, lives: () => boolean): Db {
  const { $client: client } = db as unknown as { $client: PGlite | Pool };
  const moment = () => {
    if (!lives()) throw new DatabaseUnavailable();
  };
  const mortal =
    client instanceof Pool
      ? overPool(poolOf(client, moment), { schema })
      : overPglite(pgliteOf(client, moment), { schema });
  return mortal as unknown as Db;
}

function pgliteOf(client: PGlite, moment: Moment): PGlite {
  return replaced(client, {
    query: statement(client, 'query', moment),
    exec: statement(client, 'exec', moment),
    transaction: around(moment, <T>(work: (tx: Transaction) => Promise<T>) =>
      client.transaction(async (tx) => {
        const query = statement(tx, 'query', moment);
        const done = await work(replaced(tx, { query }));
        moment();
        return done;
      }),
    ),
  });
}

function poolOf(pool: Pool, moment: Moment): Pool {
  return replaced(pool, {
    query: statement(pool, 'query', moment),
    async connect() {
      moment();
      const client = await pool.connect();
      let isBroken = false;
      const guarded = () => {
        if (isBroken) throw new DatabaseUnavailable();
        try {
          moment();
        } catch (error) {
          isBroken = true;
          // Drizzle keeps the connection where `begin` fails.
          client.release(true);
          throw error;
        }
      };
      return replaced<PoolClient>(client, { query: statement(client, 'query', guarded) });
    },
  });
}

function statement<Target extends object>(target: Target, name: keyof Target, moment: Moment) {
  const run = target[name] as (...args: unknown[]) => Promise<unknown>;
  return around(moment, (...args: unknown[]) => run.apply(target, args));
}

function around<Args extends unknown[], T>(moment: Moment, run: (...args: Args) => Promise<T>) {
  return async (...args: Args): Promise<T> => {
    moment();
    const done = await run(...args);
    moment();
    return done;
  };
}

/** An object with some of its methods replaced. */
function replaced<Target extends object>(target: Target, methods: object): Target {
  return new Proxy(target, {
    get: (_, name) => Reflect.get(name in methods ? methods : target, name),
  });
}
