import { afterAll, beforeAll, describe } from 'vitest';
import { type Database, type DatabaseOptions, type Db, openDatabase } from '../../server/db/open';
import { type Cluster, postgresInstalled, startCluster } from './postgres';

/** A migrated database, filled by nobody else. */
export interface TestDatabase {
  readonly db: Db;
  readonly name: 'PGlite' | 'PostgreSQL';
  /** What a server started by the test opens the same database with; PGlite in memory can't be opened twice. */
  readonly options: DatabaseOptions;
}

/**
 * Runs the tests of `body` on PGlite in memory and, where it is installed, on
 * PostgreSQL; each time on a fresh database, shared by the tests of `body`.
 *
 *     onEachDatabase((database) => {
 *       it('keeps orders', async () => { await database.db.insert(…) });
 *     });
 */
export function onEachDatabase(body: (database: TestDatabase) => void): void {
  describe('on PGlite', () => {
    withDatabase('PGlite', async () => ({ directory: 'memory://' }), body);
  });

  describe.skipIf(!postgresInstalled)('on PostgreSQL', () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster();
    });
    afterAll(() => cluster.stop());
    withDatabase(
      'PostgreSQL',
      async () => ({ url: await cluster.createDatabase(), directory: '' }),
      body,
    );
  });
}

function withDatabase(
  name: TestDatabase['name'],
  create: () => Promise<DatabaseOptions>,
  body: (database: TestDatabase) => void,
): void {
  let opened: Database | undefined;
  let options: DatabaseOptions | undefined;
  beforeAll(async () => {
    options = await create();
    opened = await openDatabase(options);
  });
  afterAll(() => opened?.close());
  body({
    name,
    get db() {
      if (!opened) throw new Error('the database is there once the tests run');
      return opened.db;
    },
    get options() {
      if (!options) throw new Error('the database is there once the tests run');
      return options;
    },
  });
}
