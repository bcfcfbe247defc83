import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OrderRow, STATUS_NUMBERS } from '#domain/api/trading';
import {
  add,
  compare,
  decimal,
  isZero,
  multiply,
  quotientDown,
  sign,
  subtract,
  toFixed,
  toNumber,
  unitsOf,
  ZERO,
} from '#domain/core/decimal';
import { type Leverage, type Price, toPrice, toUsd, type Units } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { fillPrice, openingOf, type QuoteFill, sidePrices } from '#domain/trading/fill';
import type { FeeType } from '#domain/trading/margin';
import { exposure } from '#domain/trading/notional';
import { PROFIT_SCALE } from '#domain/trading/profit';
import type { AccountSnapshot } from '#domain/trading/stopOut';
import { type PricedTicket, previewTicket } from '#domain/trading/ticket';
import type { Database } from '../../../server/db/database';
import { audit } from '../../../server/ledger/audit';
import { noWatch } from '../../../server/trading/tickWatch';
import { lots, price } from '../../domain/support/instruments';
import { largeCount, samples, seed, tally } from '../../helpers/samples';
import { emptyDatabase } from '../support/database';
import { SerialMarket } from '../support/serialMarket';
import { oddInstruments } from './oddInstruments';
import { refusalOf, TestTrading } from './testTrading';

const CASES = [
  { name: 'per-lot', feeType: 'per-lot', quoteFill: 0 },
  { name: 'rate', feeType: 'rate', quoteFill: 0 },
  { name: 'rate, at bid and ask', feeType: 'rate', quoteFill: 1 },
  { name: 'per-lot, judged at bid and ask', feeType: 'per-lot', quoteFill: 2 },
] as const;
const LISTED = 24;
const instruments = oddInstruments(LISTED);

const tickets = fc.record({
  /** Points below and above the price. */
  topOfBook: fc.record({
    below: fc.integer({ min: 0, max: 50 }),
    above: fc.integer({ min: 0, max: 50 }),
  }),
  user: fc.nat(2),
  on: fc.integer({ min: 0, max: LISTED - 1 }),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  pending: fc.boolean(),
  /** Significant digits of price and target. */
  digits: fc.integer({ min: 1, max: 99_999_999 }),
  target: fc.integer({ min: -500, max: 500 }),
  leverage: fc.nat(4),
  /** Thousandths of the largest affordable order; above 1,000 is too much. */
  share: fc.oneof(fc.integer({ min: 1, max: 700 }), fc.constantFrom(1000, 1001, 1500)),
  stopOut: fc.boolean(),
});
type Ticket = typeof tickets extends fc.Arbitrary<infer T> ? T : never;

/** A server with one type of fee and three users who trade at random. */
class PreviewCase {
  readonly trading: TestTrading;
  readonly users: number[] = [];
  readonly happened = { accepted: 0, refused: 0, stoppedOut: 0 };
  private readonly market: SerialMarket;
  private readonly feeType: FeeType;
  private readonly quoteFill: QuoteFill;

  constructor(
    trading: TestTrading,
    market: SerialMarket,
    { feeType, quoteFill }: (typeof CASES)[number],
  ) {
    this.quoteFill = quoteFill;
    this.trading = trading;
    this.market = market;
    this.feeType = feeType;
  }

  async place(wish: Ticket): Promise<void> {
    const traded = instruments[wish.on];
    const user = this.users[wish.user];
    if (!traded || user === undefined) throw new Error('nobody, or nothing');
    const point = toPrice(decimal(1n, traded.precision));
    const now = price(toFixed(decimal(BigInt(wish.digits), traded.precision), traded.precision));
    const points = (count: number) => toPrice(decimal(count, traded.precision));
    const bid = subtract(now, points(Math.min(wish.topOfBook.below, wish.digits - 1)));
    const topOfBook = { bid: toNumber(bid), ask: toNumber(add(now, points(wish.topOfBook.above))) };
    await this.market.tick([traded.id, toNumber(now), 1, topOfBook]);
    const opened = openingOf(
      { side: wish.side, type: wish.pending ? 'pending' : 'market' },
      sidePrices(now, this.quoteFill === 2 ? topOfBook : undefined),
      fillPrice(wish.side, now, this.quoteFill === 0 ? undefined : topOfBook),
    );
    const away = add(now, toPrice(decimal(wish.target, traded.precision)));
    const ticket: PricedTicket = {
      instrument: traded,
      feeType: this.feeType,
      type: wish.pending ? 'pending' : 'market',
      side: wish.side,
      lots: traded.lotStep,
      leverage: traded.leverages[wish.leverage % traded.leverages.length] as Leverage,
      price: opened.held,
      fill: opened.fill,
      reference: opened.reference,
      target: compare(away, point) > 0 ? away : now,
    };
    const snapshot = await this.snapshot(user, traded);
    const { maxLots } = previewTicket(ticket, snapshot);
    // A share of the largest order in whole steps, at least one step, which may be too much.
    const most = unitsOf(quotientDown(maxLots, traded.lotStep, 0)) || 1n;
    const steps = (most * BigInt(wish.share) + 999n) / 1000n;
    const wanted = {
      ...ticket,
      lots: multiply(traded.lotStep, decimal(steps)),
    };
    const preview = previewTicket(wanted, snapshot);

    const crowded = this.openOrders(user) >= 200;
    const order = this.trading.submit(user, traded.id, {
      ...wanted,
      targetPrice: wanted.target,
      stopLoss: undefined,
      takeProfit: undefined,
      trailing: undefined,
      deviation: undefined,
    });
    if (compare(wanted.lots, maxLots) > 0 || isZero(preview.margin) || crowded) {
      let key = 'availableTooLow';
      if (compare(wanted.lots, lots('1000')) > 0) key = 'lotsAboveMaximum';
      else if (isZero(preview.margin)) key = 'marginTooSmall';
      else if (crowded) key = 'tooManyOrders';
      expect(await refusalOf(order)).toBe(`rules.${key}`);
      this.happened.refused++;
      // Nothing is left to trade with: reset the account.
      if (isZero(maxLots) || crowded)
        await this.trading.run((work) => this.trading.engine.reset(work, user));
      return;
    }
    const { id, status } = await order;
    const row = (await this.trading.rows(user, STATUS_NUMBERS[status])).find(({ Id }) => Id === id);
    const { free_balance } = await this.trading.portfolio.summary(user);
    expect([row?.CautionMoney, row?.TradeFee, free_balance]).toEqual([
      toFixed(preview.margin, 2),
      toFixed(preview.fee, 2),
      toFixed(preview.availableAfter, 6),
    ]);
    this.happened.accepted++;
    if (wish.stopOut && row?.Status === 1 && preview.stopOutPrice) {
      await this.stopOut(user, id, traded, preview.stopOutPrice);
    }
  }

  /** One point before the price nothing happens; at the price the account is stopped out. */
  private async stopOut(user: number, id: number, traded: Instrument, stop: Price): Promise<void> {
    const positions = await this.trading.rows(user, 1);
    const alone = positions.every(({ ForexTradeLists }) => ForexTradeLists.Id === traded.id);
    // Pending orders would fill on the way; a double has 15 digits; profits have six decimals.
    const waiting = await this.trading.rows(user, 0);
    const scale = traded.precision + traded.lotStep.scale + traded.unitsPerLot.scale;
    if (!alone || waiting.length > 0 || stop.digits > 1e14 || scale > PROFIT_SCALE) return;
    const total = positions.reduce<Units>(
      (sum, row) => add(sum, exposure(positionOf(row, traded))),
      ZERO,
    );
    const point = toPrice(decimal(1n, traded.precision));
    const before = sign(total) > 0 ? add(stop, point) : subtract(stop, point);
    const reasons = async () =>
      (await this.trading.rows(user, 3)).map(({ CloseReason }) => CloseReason);
    if (sign(before) > 0) {
      await this.tick(traded, before);
      expect(await this.trading.rows(user, 1)).toHaveLength(positions.length);
    }
    await this.tick(traded, stop);
    expect(await reasons(), `order ${id}`).toContain('stop_out');
    this.happened.stoppedOut++;
    await this.trading.run((work) => this.trading.engine.reset(work, user));
  }

  /** A price with no distance of bid and ask: what positions of both sides close at. */
  private tick({ id }: Instrument, at: Price): Promise<void> {
    const close = toNumber(at);
    return this.market.tick([id, close, 1, { bid: close, ask: close }]);
  }

  private openOrders(user: number): number {
    const account = this.trading.engine.openOrders.account(user);
    return (account?.pending.size ?? 0) + (account?.positions.size ?? 0);
  }

  /** What a client knows of the account, from the texts of the calls. */
  private async snapshot(user: number, traded: Instrument): Promise<AccountSnapshot> {
    const summary = await this.trading.portfolio.summary(user);
    const held = (await this.trading.rows(user, 1)).filter(
      ({ ForexTradeLists }) => ForexTradeLists.Id === traded.id,
    );
    return {
      balance: toUsd(summary.balance),
      marginInUse: toUsd(summary.caution_money),
      profit: toUsd(summary.fact_profits),
      exposure: held.reduce<Units>((sum, row) => add(sum, exposure(positionOf(row, traded))), ZERO),
    };
  }
}

function positionOf(row: OrderRow, { unitsPerLot }: Instrument) {
  const side = row.OrderType === 1 ? ('buy' as const) : ('sell' as const);
  return { side, lots: lots(row.Quantity), unitsPerLot };
}

describe.each(CASES)('the preview of a ticket, $name', (kind) => {
  let database: Database;
  let testCase: PreviewCase;
  beforeAll(async () => {
    database = await emptyDatabase();
    const market = new SerialMarket(instruments);
    const { feeType, quoteFill } = kind;
    const trading = await TestTrading.open(database.db, market, feeType, noWatch, quoteFill);
    testCase = new PreviewCase(trading, market, kind);
    for (let i = 0; i < 3; i++) testCase.users.push(await trading.addUser());
  });
  afterAll(async () => {
    const { trading } = testCase;
    trading.close();
    expect(trading.errors).toEqual([]);
    expect(await audit(database.db)).toEqual([]);
    await database.close();
  });

  const runs = samples(120, 100_000);
  it(
    `equals what the server books, digit for digit, in ${runs} runs`,
    () =>
      largeCount(
        `previews equal to what is booked, digit for digit, ${kind.name}`,
        runs,
        async () => {
          await fc.assert(
            fc.asyncProperty(tickets, (wish) => testCase.place(wish)),
            // Accounts continue from ticket to ticket, so a single ticket does not reproduce a
            // failure.
            { numRuns: runs, seed: seed + CASES.indexOf(kind), endOnFailure: true },
          );
          const { accepted, refused, stoppedOut } = testCase.happened;
          expect(Math.min(accepted, refused, stoppedOut)).toBeGreaterThan(0);
          return tally(testCase.happened);
        },
      ),
    samples(180_000, 24 * 3_600_000),
  );
});
