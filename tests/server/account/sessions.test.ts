import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { LIFE_MS, MOST_KNOWN, MOST_OF_USER, Sessions } from '../../../server/account/sessions';
import { insertUser } from '../../../server/account/users';
import type { Db } from '../../../server/db/database';
import { emptyDatabase } from '../support/database';
import { work } from '../support/tables';

it('sessions in use stay in memory, however long ago they were read', async () => {
  const now = toUnixMs(0);
  let read = 0;
  const rows = {
    from: () => rows,
    innerJoin: () => rows,
    where: async () => {
      read++;
      return [{ sessionId: read, userId: read, isDemo: true, expiresAt: new Date(now + LIFE_MS) }];
    },
  };
  const sessions = new Sessions({ select: () => rows } as unknown as Db, () => now);
  await sessions.authenticateHash('used');
  for (let n = 1; n < MOST_KNOWN; n++) await sessions.authenticateHash(`${n}`);
  await sessions.authenticateHash('used');
  await sessions.authenticateHash('one more');
  expect(read).toBe(MOST_KNOWN + 1);
  await sessions.authenticateHash('used');
  expect(read).toBe(MOST_KNOWN + 1);
  await sessions.authenticateHash('1');
  expect(read).toBe(MOST_KNOWN + 2);
});

it('of more than a hundred of a user those used longest ago end, all at once', async () => {
  const { db, close } = await emptyDatabase();
  let now = Date.UTC(2026, 0, 5);
  const sessions = new Sessions(db, () => toUnixMs(now));
  const ended: number[] = [];
  sessions.onEnd((ids) => ended.push(ids.size));
  const [ann, ben] = await work(db, (job) =>
    Promise.all([1, 2].map(() => insertUser(job, { isDemo: true, createdAt: new Date(now) }))),
  );
  const open = (userId = 0) => {
    now++;
    const device = { device: '', language: 'en' } as const;
    return work(db, (job) => sessions.open(job, userId, device));
  };
  const other = await open(ben?.id);
  const first = await open(ann?.id);
  const second = await open(ann?.id);
  for (let n = 2; n < MOST_OF_USER; n++) await open(ann?.id);
  // Their last uses are in memory alone.
  now++;
  await sessions.authenticate(second);
  await sessions.authenticate(first);
  expect(ended).toEqual([]);

  const last = await open(ann?.id);
  expect(ended).toEqual([1]);
  for (const token of [other, first, second, last]) {
    expect(await sessions.authenticate(token)).toBeDefined();
  }
  expect(await sessions.list(ann?.id ?? 0)).toHaveLength(MOST_OF_USER);

  await work(db, (job) => sessions.endAll(job, ann?.id ?? 0));
  expect(ended).toEqual([1, MOST_OF_USER]);
  for (const token of [first, second, last]) {
    expect(await sessions.authenticate(token)).toBeUndefined();
  }
  expect(await sessions.authenticate(other)).toBeDefined();
  await close();
});
