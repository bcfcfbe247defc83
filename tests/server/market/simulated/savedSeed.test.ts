import { expect, it } from 'vitest';
import { marketSeeds, traders, users } from '../../../../server/db/schema';
import { savedSeed } from '../../../../server/market/simulated/savedSeed';
import { onEachDatabase } from '../../support/database';

onEachDatabase((database) => {
  it('is drawn once for a database, of 128 bits', async () => {
    const seed = await savedSeed(database.db);
    expect(seed).toMatch(/^[0-9a-f]{32}$/);
    expect(await savedSeed(database.db)).toBe(seed);
    await database.db.delete(marketSeeds);
    expect(await savedSeed(database.db)).not.toBe(seed);
  });

  it('is found in the orders and traders of a database of an earlier version', async () => {
    await database.db.delete(marketSeeds);
    const [user] = await database.db
      .insert(users)
      .values({ uid: '1', isDemo: true, createdAt: new Date(0) })
      .returning();
    await database.db.insert(traders).values({
      userId: user?.id ?? 0,
      feed: 'seed:1',
      key: 'k',
      code: 'BTCUSD',
      multiple: '1',
      capital: '1',
    });
    expect(await savedSeed(database.db)).toBe('1');
    await database.db.delete(traders);
    expect(await savedSeed(database.db)).toBe('1');
  });
});
