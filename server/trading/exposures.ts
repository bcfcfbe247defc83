import { eq, inArray, sql, sum } from 'drizzle-orm';
import {
  absolute,
  add,
  compare,
  isZero,
  toFixed,
  toNumber,
  toText,
  ZERO,
} from '#domain/core/decimal';
import { CENTS, type Lots, type Price, toUsd, type Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { equity } from '#domain/trading/accountSummary';
import { netLots } from '#domain/trading/netPosition';
import { exposure, valueAt } from '#domain/trading/notional';
import type { OrderState } from '#domain/trading/orderState';
import type { TradingAccount } from '#domain/trading/tradingAccount';
import { type AdminCommand, instrumentNamed } from '../admin/commands';
import { getOrInsert } from '../core/getOrInsert';
import type { Db } from '../db/database';
import { ledgerAccounts, orders, users } from '../db/schema';
import { BROKER_ACCOUNTS } from '../ledger/entries';
import type { Market } from '../market/market';
import type { ExposureLimits } from './exposureLimits';
import type { MatchingEngine } from './matchingEngine';

export interface ExposuresParts {
  db: Db;
  market: Market;
  engine: MatchingEngine;
  limits: ExposureLimits;
}

/** What the broker has at stake in an instrument, USD (domain.md#exposure). */
interface InstrumentExposure {
  code: string;
  /** Of customers' positions, sells negative. */
  lots: Lots;
  /** At the latest price; undefined where there is none. */
  value: Usd | undefined;
  /** Open profit of the customers. */
  profit: Usd;
  /** Charged for fills, and earned by them against the latest price. */
  fees: Usd;
  spread: Usd;
  limit: Usd | undefined;
}

interface AccountExposure {
  userId: number;
  /** Of what they hold of each instrument, added up. */
  value: Usd;
  profit: Usd;
  equity: Usd;
}

export interface HouseExposure {
  /** By code. */
  instruments: InstrumentExposure[];
  /** The largest first. */
  accounts: AccountExposure[];
  /** Margin of all open orders. */
  margin: Usd;
  /** What the ledger says: fees of all time, what customers have, and the other side of it. */
  ledger: { fees: Usd; available: Usd; margin: Usd; withdrawals: Usd; broker: Usd };
}

/** For each instrument, as metrics show it. */
export type ExposureGauges = Record<'value' | 'profit' | 'limit', Record<string, number>>;

const LARGEST_ACCOUNTS = 10;

/** What customers hold, what the broker earns by it, and the largest accounts. */
export class Exposures {
  private readonly parts: ExposuresParts;
  readonly command: AdminCommand = {
    name: 'exposure',
    run: async (_, words) => {
      const name = words.join(' ');
      const only = name ? instrumentNamed(this.parts.market, name) : undefined;
      return this.table(await this.read(only), only);
    },
  };

  constructor(parts: ExposuresParts) {
    this.parts = parts;
  }

  /** Codes of limits that no instrument has. */
  get unknownLimits(): string[] {
    const { market, limits } = this.parts;
    return limits.unknown(new Set(market.instruments.map(({ code }) => code)));
  }

  /**
   * What is held is of one moment. The sums of the database, which take long, come after it, so that nobody waits for them.
   * `only`: of one instrument.
   */
  async read(only?: Pick<Instrument, 'code'>): Promise<HouseExposure> {
    const { db, market, engine, limits } = this.parts;
    const { held, ...ofAccounts } = await market.exclusively(async () => {
      await engine.load(db);
      return this.held(only);
    });
    const earned = await this.earned(only);
    const codes = [...new Set([...held.keys(), ...earned.keys()])].sort();
    const none = { lots: ZERO, value: ZERO, profit: ZERO, fees: ZERO, spread: ZERO };
    return {
      instruments: codes.map((code) => ({
        ...{ code, ...none, ...held.get(code), ...earned.get(code) },
        limit: limits.of(code),
      })),
      ...ofAccounts,
      ledger: await this.ledger(),
    };
  }

  private held(only: Pick<Instrument, 'code'> | undefined) {
    const accounts = this.parts.engine.openOrders.active();
    const open = accounts.flatMap(({ positions }) => [...positions.values()]);
    const byCode = byCodeOf(open.filter(({ order }) => !only || order.code === only.code));
    return {
      held: new Map(
        [...byCode].map(([code, positions]) => {
          const held = positions.map(({ order }) => order);
          const profit = total(positions, (position) => position.profit);
          return [code, { lots: netLots(held), value: this.valueOf(held), profit }];
        }),
      ),
      accounts: accounts
        .map((account) => this.accountOf(account, only))
        .filter(({ value }) => !isZero(value))
        .sort((a, b) => compare(b.value, a.value) || a.userId - b.userId),
      margin: total(accounts, ({ marginInUse }) => marginInUse),
    };
  }

  /** What is at stake now, from memory alone: a scrape must not cost the database anything. */
  gauges(): ExposureGauges {
    const { market, engine, limits } = this.parts;
    const { openOrders } = engine;
    const gauges: ExposureGauges = { value: {}, profit: {}, limit: {} };
    const codes = new Map(market.instruments.map(({ id, code }) => [id, code]));
    for (const id of openOrders.tradedIds()) {
      const code = codes.get(id);
      const latest = openOrders.sides(id)?.latest;
      if (code === undefined || !latest) continue;
      gauges.value[code] = toNumber(valueAt(openOrders.exposure(id).net, latest));
      gauges.profit[code] = toNumber(openOrders.profit(id));
      const limit = limits.of(code);
      if (limit) gauges.limit[code] = toNumber(limit);
    }
    return gauges;
  }

  private async earned(
    only: Pick<Instrument, 'code'> | undefined,
  ): Promise<Map<string, { fees: Usd; spread: Usd }>> {
    const rows = await this.parts.db
      .select({
        code: orders.code,
        // As `paidFee`.
        fees: sum(sql`case when ${orders.price} = 0 then 0 else ${orders.fee} end`),
        spread: sum(orders.spread),
      })
      .from(orders)
      .where(only && eq(orders.code, only.code))
      .groupBy(orders.code);
    return new Map(
      rows.map(({ code, fees, spread }) => [
        code,
        { fees: toUsd(fees ?? '0'), spread: toUsd(spread ?? '0') },
      ]),
    );
  }

  private async ledger(): Promise<HouseExposure['ledger']> {
    const { kind, balance } = ledgerAccounts;
    const rows = await this.parts.db
      .select({ kind, balance: sum(balance) })
      .from(ledgerAccounts)
      .groupBy(kind);
    const balances = new Map(rows.map((row) => [row.kind, toUsd(row.balance ?? '0')]));
    const of = (wanted: string) => balances.get(wanted) ?? ZERO;
    return {
      fees: of('fees'),
      available: of('available'),
      margin: of('margin'),
      withdrawals: of('withdrawals'),
      broker: total(BROKER_ACCOUNTS, of),
    };
  }

  private accountOf(
    account: TradingAccount,
    only: Pick<Instrument, 'code'> | undefined,
  ): AccountExposure {
    const held = [...account.positions.values()].filter(
      ({ order }) => !only || order.code === only.code,
    );
    const byCode = byCodeOf(held);
    return {
      userId: account.userId,
      value: [...byCode.values()].reduce<Usd>((whole, positions) => {
        const value = this.valueOf(positions.map(({ order }) => order));
        return value ? add(whole, absolute(value)) : whole;
      }, ZERO),
      profit: total(held, ({ profit }) => profit),
      equity: equity(account),
    };
  }

  /** Of positions in one instrument, net, at its latest price; those of another feed have none. */
  private valueOf(held: readonly OrderState[]): Usd | undefined {
    let whole: Usd = ZERO;
    for (const order of held) {
      const latest: Price | undefined = this.parts.engine.openOrders.sides(
        order.instrumentId,
      )?.latest;
      if (!latest) return undefined;
      whole = add(whole, valueAt(exposure(order), latest));
    }
    return whole;
  }

  private async table(house: HouseExposure, only: Instrument | undefined): Promise<string> {
    const { instruments, accounts, margin, ledger } = house;
    const values = instruments.map(({ value }) => absolute(value ?? ZERO));
    const row = ({ code, lots, value, profit, fees, spread, limit }: InstrumentExposure) => [
      code,
      toText(lots),
      usd(value),
      usd(limit),
      usd(profit),
      usd(spread),
      usd(fees),
    ];
    const all = [
      'all',
      '',
      usd(total(values, (value) => value)),
      '',
      usd(total(instruments, ({ profit }) => profit)),
      usd(total(instruments, ({ spread }) => spread)),
      usd(ledger.fees),
    ];
    const largest = accounts.slice(0, LARGEST_ACCOUNTS);
    const uids = await this.uidsOf(largest.map(({ userId }) => userId));
    const customers = add(add(ledger.available, ledger.margin), ledger.withdrawals);
    return [
      ...columns([
        ['instrument', 'lots', 'USD', 'limit', 'open profit', 'spread', 'fees'],
        ...instruments.map(row),
        ...(only ? [] : [all]),
      ]),
      '',
      ...columns([
        ['largest accounts', 'USD', 'open profit', 'equity'],
        ...largest.map(({ userId, value, profit, equity: worth }) => [
          uids.get(userId) ?? String(userId),
          usd(value),
          usd(profit),
          usd(worth),
        ]),
      ]),
      '',
      `Customers have ${usd(customers)} USD, of which ${usd(margin)} are margin; the broker's accounts add up to ${usd(ledger.broker)}.`,
    ].join('\n');
  }

  private async uidsOf(ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.parts.db
      .select({ id: users.id, uid: users.uid })
      .from(users)
      .where(inArray(users.id, [...ids]));
    return new Map(rows.map(({ id, uid }) => [id, uid]));
  }
}

function byCodeOf<T extends { order: OrderState }>(positions: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const position of positions) {
    getOrInsert(groups, position.order.code, () => []).push(position);
  }
  return groups;
}

function total<T>(items: readonly T[], of: (item: T) => Usd): Usd {
  return items.reduce<Usd>((whole, item) => add(whole, of(item)), ZERO);
}

const usd = (amount: Usd | undefined) => (amount ? toFixed(amount, CENTS) : '–');

/** Lines of cells, the first column to the left and numbers to the right. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(cell.length, widest[index] ?? 0)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, index) =>
        index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
