import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { claimDatabase, DatabaseInUse } from '../../../server/db/claim';
import { type Cluster, postgresInstalled, startCluster } from '../support/postgres';

describe.skipIf(!postgresInstalled)('the claim on a PostgreSQL database', () => {
  let cluster: Cluster;
  let url: string;
  beforeAll(async () => {
    cluster = await startCluster();
    url = await cluster.createDatabase();
  });
  afterAll(() => cluster.stop());

  it('refuses a second server until the first lets go', async () => {
    const lost = vi.fn();
    const release = await claimDatabase(url, lost);
    await expect(claimDatabase(url, lost)).rejects.toThrow(DatabaseInUse);
    const elsewhere = await claimDatabase(await cluster.createDatabase(), lost);
    await release();
    await (await claimDatabase(url, lost))();
    await elsewhere();
    expect(lost).not.toHaveBeenCalled();
  });

  it('reports when it is lost', async () => {
    const losing = new Promise((resolve) => void claimDatabase(url, resolve).then(() => cut()));
    const cut = async () => {
      const other = new Client({ connectionString: url });
      await other.connect();
      await other.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`,
      );
      await other.end();
    };
    expect(await losing).toBeInstanceOf(Error);
  });
});
