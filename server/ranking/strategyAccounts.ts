import { eq } from 'drizzle-orm';
import { toText } from '#domain/core/decimal';
import { timeOf, type UnixMs } from '#domain/core/time';
import { toUsd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { insertUser } from '../account/users';
import { traders, users } from '../db/schema';
import type { Transactions } from '../db/transactions';
import { openingEntry } from '../ledger/entries';
import type { Ledger } from '../ledger/ledger';
import type { Market } from '../market/market';
import { usualLeverage } from './orderSizing';
import type { TraderProfile } from './traderProfiles';

/** Starting balance of each account. */
export const CAPITAL = toUsd('100000');

export interface StrategyAccountParts {
  transactions: Transactions;
  ledger: Ledger;
  market: Market;
  now(): UnixMs;
}

/** A strategy account on this market. */
export interface StrategyTrader extends TraderProfile {
  userId: number;
  instrument: Instrument;
  /** When the account was opened. */
  opened: UnixMs;
}

/**
 * Returns the strategy accounts of this market; creates missing ones. Nobody can log in to them:
 * they have neither address nor password.
 */
export async function openStrategyAccounts(
  { transactions, ledger, market, now }: StrategyAccountParts,
  profiles: readonly TraderProfile[],
): Promise<StrategyTrader[]> {
  return transactions.run(async (work) => {
    const known = await work.tx
      .select({ userId: traders.userId, key: traders.key, code: traders.code, at: users.createdAt })
      .from(traders)
      .innerJoin(users, eq(users.id, traders.userId))
      .where(eq(traders.feed, market.feed));
    const found: StrategyTrader[] = [];
    for (const [place, listed] of profiles.entries()) {
      const former = known.find(({ key }) => key === listed.key);
      const instrument = former
        ? market.instruments.find(({ code }) => code === former.code)
        : instrumentOf(market, listed, place);
      const multiple = instrument && usualLeverage(instrument);
      // The instrument is no longer listed or not tradable.
      if (!instrument || !multiple) continue;
      if (former) {
        const opened = timeOf(former.at);
        found.push({ ...listed, userId: former.userId, instrument, opened });
        continue;
      }
      const opened = now();
      const user = await insertUser(work, { isDemo: true, createdAt: new Date(opened) });
      await ledger.open(work.tx, user.id);
      await ledger.post(work, [openingEntry(user.id, CAPITAL)]);
      await work.tx.insert(traders).values({
        userId: user.id,
        feed: market.feed,
        key: listed.key,
        code: instrument.code,
        multiple: toText(multiple),
        capital: toText(CAPITAL),
      });
      found.push({ ...listed, userId: user.id, instrument, opened });
    }
    return found;
  });
}

function instrumentOf({ instruments }: Market, { code }: TraderProfile, place: number) {
  return (
    instruments.find((instrument) => instrument.code === code) ??
    instruments[place % instruments.length]
  );
}
