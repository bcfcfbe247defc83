import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { demoAccount } from '../../../server/account/demo';
import { AttemptLimits } from '../../../server/account/limits/attemptLimits';
import { UNDIVIDED } from '../../../server/account/otherEngines';
import { BackupFailed, backUp, restore } from '../../../server/db/backup';
import { DATABASE, type Db, migrations, NoDatabase } from '../../../server/db/database';
import { takeIdRange } from '../../../server/db/idRange';
import { lockDirectory } from '../../../server/db/lock';
import { openDatabase } from '../../../server/db/open';
import { openPglite } from '../../../server/db/pglite';
import * as schema from '../../../server/db/schema';
import { adminActions, users } from '../../../server/db/schema';
import { audit } from '../../../server/ledger/audit';
import { runAudit } from '../../../server/ledger/auditCommand';
import { Ledger } from '../../../server/ledger/ledger';
import { inTurn } from '../../helpers/samples';
import { databaseDirectory, dataDirectory } from '../support/dataDirectory';
import { firstMigrations } from '../support/formerMigrations';

/** Opens the database of a directory, adds a demo account to it, and returns the number of accounts. */
async function addAccount(directory: string): Promise<number> {
  const { db, close } = await openDatabase({ directory });
  const now = () => toUnixMs(0);
  const ledger = new Ledger(now);
  await ledger.prepare(db);
  const limits = new AttemptLimits(now);
  await demoAccount(
    { db, ledger, limits, otherEngines: UNDIVIDED, now },
    randomUUID(),
    '127.0.0.1',
  );
  const count = await db.$count(users);
  await close();
  return count;
}

async function contents(directory: string) {
  const { db, close } = await openDatabase({ directory });
  const found = { accounts: await db.$count(users), differences: await audit(db) };
  await close();
  return found;
}

describe('a backup', () => {
  inTurn(it)('restores everything, and keeps the database that it replaces', async () => {
    const directory = databaseDirectory();
    await addAccount(directory);
    const file = join(dataDirectory(), 'backup.tar.gz');
    await backUp(directory, file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await addAccount(directory)).toBe(2);
    const former = await restore(directory, file);
    expect(await contents(directory)).toEqual({ accounts: 1, differences: [] });
    const kept = dataDirectory();
    cpSync(former ?? '', join(kept, DATABASE), { recursive: true });
    expect(await contents(kept)).toEqual({ accounts: 2, differences: [] });
  });

  inTurn(it)('of an older schema is migrated, in a directory without a database', async () => {
    const old = dataDirectory();
    const client = await openPglite(join(old, DATABASE));
    await migrate(drizzle(client), firstMigrations(1));
    await client.exec(
      "insert into users (uid, invite_code, is_demo, created_at) values ('7', 'I', false, now())",
    );
    await client.close();
    const file = join(dataDirectory(), 'old.tar.gz');
    await backUp(old, file);
    const directory = dataDirectory();
    expect(await restore(directory, file)).toBeUndefined();
    expect(await addAccount(directory)).toBe(2);
    expect(await contents(directory)).toEqual({ accounts: 2, differences: [] });
  });

  inTurn(it)('of a release without an audit log has the decisions of then in it', async () => {
    const client = await openPglite('memory://');
    const db = drizzle(client, { schema });
    await migrate(db, firstMigrations(12));
    // Of another engine, whose new sequence begins with its own range.
    await takeIdRange(db as unknown as Db, 2);
    await client.exec(`
      insert into users (id, uid, invite_code, is_demo, created_at) values (1, '7', 'I', false, now());
      insert into pictures (id, owner_id, created_at) values ('a', 1, now()), ('b', 1, now());
      insert into deposits (id, user_id, kind, channel_id, currency_code, number, usd_price, proof, status, remark, created_at, reviewed_at) values
        (1, 1, 'coin', 1, 'USDT', 5, 1, 'a', 'finished', '', now(), '2026-01-01'),
        (2, 1, 'coin', 1, 'USDT', 5, 1, 'a', 'invalid', 'Forged', now(), '2026-01-02'),
        (3, 1, 'coin', 1, 'USDT', 5, 1, 'a', 'unchecked', '', now(), null);
      insert into withdrawals (id, user_id, kind, currency_id, currency_code, protocol, number, fee, received, status, notes, created_at, reviewed_at) values
        (4, 1, 'coin', 1, 'USDT', 'TRC20', 5, 1, 4, 'rejected', 'Too soon', now(), '2026-01-03');
      insert into verifications (id, user_id, name, card_id, front_picture, reverse_picture, status, submitted_at, reviewed_at) values
        (5, 1, 'Ada', 'X', 'a', 'b', 'verified', now(), '2026-01-04');
      insert into subscriptions (id, user_id, fund_id, amount, dividend_percentage, liquidated_damages, lock_days, day_profit, status, subscribed_at, due_at, ended_at) values
        (6, 1, 1, 100, 1, 5, 30, 1, 'refunded', now(), now(), '2026-01-05')`);
    await migrate(db, migrations);
    await takeIdRange(db as unknown as Db, 2);
    const rows = await db.select().from(adminActions).orderBy(adminActions.at);
    expect(rows.map((row) => [row.action, row.subject, row.reason, row.result])).toEqual([
      ['approve', 'deposit 1', '', 'approved.'],
      ['invalid', 'deposit 2', 'Forged', 'invalid.'],
      ['reject', 'withdrawal 4', 'Too soon', 'rejected.'],
      ['approve', 'verification 5', '', 'approved.'],
      ['approve', 'refund 6', '', 'approved.'],
    ]);
    for (const { uid, operator } of rows) expect([uid, operator]).toEqual(['7', '']);
    await client.close();
  });

  inTurn(it)('is refused while the server runs, and never written over another file', async () => {
    const directory = databaseDirectory();
    const file = join(dataDirectory(), 'backup.tar.gz');
    await addAccount(directory);
    const unlock = await lockDirectory(directory);
    await expect(backUp(directory, file)).rejects.toThrow('is in use by process');
    writeFileSync(file, 'mine');
    await expect(restore(directory, file)).rejects.toThrow('is in use by process');
    unlock();
    await expect(backUp(directory, file)).rejects.toThrow(
      `The backup ${file} can't be written: file already exists.`,
    );
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('and an audit need a database, and make none', async () => {
    const empty = dataDirectory();
    const missing = join(empty, 'missing');
    const file = join(empty, 'backup.tar.gz');
    for (const directory of [empty, missing]) {
      for (const refused of [backUp(directory, file), runAudit({ directory }, () => {})]) {
        await expect(refused).rejects.toThrow(NoDatabase);
      }
    }
    expect(readdirSync(empty)).toEqual([]);
  });

  inTurn(it)('that is invalid changes nothing', async () => {
    const directory = databaseDirectory();
    const missing = join(dataDirectory(), 'missing');
    await addAccount(directory);
    const whole = join(dataDirectory(), 'backup.tar.gz');
    await backUp(directory, whole);
    const file = join(dataDirectory(), 'backup.tar.gz');
    for (const content of [undefined, 'no archive', readFileSync(whole).subarray(0, -100)]) {
      if (content) writeFileSync(file, content);
      for (const into of [directory, missing]) {
        const refused = restore(into, file);
        await expect(refused).rejects.toThrow(BackupFailed);
        if (!content) {
          await expect(refused).rejects.toThrow(
            `The backup ${file} can't be restored: no such file or directory.`,
          );
        }
      }
    }
    expect(existsSync(missing)).toBe(false);
    expect(readdirSync(directory)).toEqual(['pglite']);
    expect(await contents(directory)).toEqual({ accounts: 1, differences: [] });
  });
});
