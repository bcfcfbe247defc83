import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { LIFE_MS, MOST_KNOWN, Sessions } from '../../../server/account/sessions';
import type { Db } from '../../../server/db/database';

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
