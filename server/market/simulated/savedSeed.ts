import { randomBytes } from 'node:crypto';
import { desc, like } from 'drizzle-orm';
import type { Db } from '../../db/database';
import { marketSeeds, orders, traders } from '../../db/schema';
import { simulatedSource } from './simulatedMarket';

/** What feeds of the simulated market begin with. */
const PREFIX = simulatedSource('');

/**
 * The seed of the database's simulated market. Where none is kept it is that of the feed its
 * orders and traders belong to, in a new database 128 random bits.
 */
export async function savedSeed(db: Db): Promise<string> {
  const [kept] = await db.select().from(marketSeeds);
  if (kept) return kept.seed;
  const seed = (await seedOfOrders(db)) ?? randomBytes(16).toString('hex');
  await db.insert(marketSeeds).values({ seed });
  return seed;
}

async function seedOfOrders(db: Db): Promise<string | undefined> {
  const [order] = await db
    .select({ feed: orders.feed })
    .from(orders)
    .where(like(orders.feed, `${PREFIX}%`))
    .orderBy(desc(orders.id))
    .limit(1);
  const [trader] = await db
    .select({ feed: traders.feed })
    .from(traders)
    .where(like(traders.feed, `${PREFIX}%`))
    .orderBy(desc(traders.userId))
    .limit(1);
  return (order ?? trader)?.feed.slice(PREFIX.length);
}
