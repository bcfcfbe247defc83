import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Decimal, decimal, multiply, toFixed, toText } from '#domain/core/decimal';
import { readLots, readPrice } from '#domain/core/readAmounts';
import { toUnixMs, toUnixSeconds, type UnixMs } from '#domain/core/time';
import { type Price, toFeeRate, toPrice, toUsd } from '#domain/core/units';
import type { Bar } from '#domain/market/kline';
import { PERIOD_SECONDS, type Period } from '#domain/market/period';
import { type PracticeCommand, PracticeSession, practiceId } from '#domain/practice/session';
import { readDay, readLog, storedDay, storedLog } from '#domain/practice/stored';
import type { QuoteFill } from '#domain/trading/fill';
import type { OrderState } from '#domain/trading/orderState';
import { midnightsBetween } from '#domain/trading/swap';
import { requestOf } from '#domain/trading/ticketInput';
import { DEMO_BALANCE } from '../../../server/account/demo';
import type { Database } from '../../../server/db/database';
import { Refusal } from '../../../server/http/refusal';
import { history } from '../../../server/trading/orderStore';
import { noWatch } from '../../../server/trading/tickWatch';
import { addUp, inTurn, largeCountInPieces, samples, seed, tally } from '../../helpers/samples';
import { emptyDatabase } from '../support/database';
import { instrument, ScriptedMarket } from '../support/scriptedMarket';
import { TestTrading } from './testTrading';

/** The sessions must contain all of these, or they prove nothing. */
const EVERYTHING = [
  ...['user', 'stop_loss', 'take_profit', 'stop_out', 'cancelled', 'expired'],
  ...['submit done', 'submit refused', 'close done', 'part done', 'cancel done', 'exits done'],
  ...['amend done', 'amend refused', 'amended to a fill', 'charged', 'charged for three nights'],
  ...['exits refused', 'followed', 'filled later', 'fill refused', 'lifted', 'resumed', 'end done'],
];

const TRUNCATE = sql`truncate users, ledger_accounts, journal_entries, postings, orders restart identity cascade`;
/** A Monday, 20 minutes before its end. */
const BEGIN = Date.UTC(2026, 10, 2, 23, 40) / 1000;
const USER_FIELDS = new Set(['userId', 'feed', 'instrumentId']);

/** A step of a session; distances in points, sizes in percent of what the balance covers. */
type Step =
  | { do: 'play'; ticks: number }
  | {
      do: 'submit';
      buy: boolean;
      pending: boolean;
      size: number;
      target: number;
      loss: number;
      gain: number;
      trail: number;
      expires: number | undefined;
      deviation: number;
    }
  | { do: 'close'; which: number; percent: number }
  | { do: 'cancel'; which: number }
  | {
      do: 'amend';
      which: number;
      size: number;
      target: number;
      loss: number;
      gain: number;
      trail: number;
      expires: number | undefined;
    }
  | { do: 'exits'; which: number; loss: number; gain: number; trail: number }
  | { do: 'resume' };

const stop = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: -200, max: -1 }) },
);
const trail = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.constantFrom(80, 200) },
);
const which = fc.nat(12);
/** In tenths of a bar. */
const expires = fc.option(fc.integer({ min: -2, max: 50 }), { nil: undefined, freq: 3 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('play' as const),
      ticks: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      buy: fc.boolean(),
      pending: fc.boolean(),
      size: fc.oneof(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 60, max: 99 }),
        fc.constantFrom(0, 300),
      ),
      target: fc.integer({ min: -300, max: 300 }),
      loss: stop,
      gain: stop,
      trail,
      expires,
      deviation: fc.integer({ min: -60, max: 60 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('close' as const),
      which,
      percent: fc.constantFrom(100, 100, 50, 33, 120),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('amend' as const),
      which,
      size: fc.oneof(fc.integer({ min: 20, max: 300 }), fc.constantFrom(0, 9000)),
      // At the price it is filled at once.
      target: fc.oneof(fc.integer({ min: -300, max: 300 }), fc.constant(0)),
      loss: stop,
      gain: stop,
      trail,
      expires,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('exits' as const),
      which,
      loss: stop,
      gain: stop,
      trail,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'resume' as const }) },
);

const sessions = fc.record({
  feePerLot: fc.boolean(),
  quoteFill: fc.constantFrom<QuoteFill>(0, 1, 2),
  spread: fc.integer({ min: 0, max: 31 }),
  fixed: fc.boolean(),
  feeRate: fc.constantFrom('0', '7', '0.05'),
  charges: fc.constantFrom(true, true, false),
  /** Bars of an hour have more nights. */
  period: fc.constantFrom<Period>('1min', '60min', '60min'),
  /** Days without bars after some of them: a weekend. */
  closed: fc.record({ after: fc.nat(20), days: fc.constantFrom(0, 0, 1, 2) }),
  /** Changes of open, high, low and close, in points; a calm day or one of leaps. */
  moves: fc.tuple(
    fc.constantFrom(1, 1, 8, 40),
    fc.array(
      fc.tuple(
        fc.integer({ min: -40, max: 40 }),
        fc.nat(90),
        fc.nat(90),
        fc.integer({ min: -60, max: 60 }),
      ),
      { minLength: 12, maxLength: 40 },
    ),
  ),
  steps: fc.array(steps, { minLength: 10, maxLength: 40, size: 'max' }),
});

type Setup = ReturnType<typeof sessions.generate>['value'];

const buy = {
  ...{ do: 'submit' as const, buy: true, pending: false, size: 80, target: 0 },
  ...{ loss: 0, gain: 0, trail: 0, expires: undefined, deviation: 0 },
};
/** A leap that leaves nothing for the fee of an order that waits, and takes more than there is. */
const LEAP: Setup = {
  ...{ feePerLot: false, quoteFill: 0, spread: 0, fixed: false, feeRate: '0.05' },
  ...{ charges: false, period: '1min', closed: { after: 0, days: 0 } },
  moves: [
    40,
    Array.from({ length: 12 }, (_, bar) => (bar === 1 ? [0, 10, 60, -60] : [0, 0, 0, 0])),
  ],
  steps: [{ ...buy, pending: true, size: 5, target: -100 }, buy, { do: 'play', ticks: 12 }],
};

/** Prices in points of 10^-5. */
const START = 110_000;
const point = (points: number) => toPrice(decimal(BigInt(points), 5));
const double = (points: number) => points / 100_000;

const SWAP = { long: toUsd('-6.37'), short: toUsd('2.05'), triple: 3 };

function barsOf({ moves: [leap, moves], period, closed }: Setup): Bar[] {
  let at = START;
  return moves.map(([gap = 0, above = 0, below = 0, change = 0], index) => {
    const open = Math.max(2000, at + gap * leap);
    const close = Math.max(2000, open + change * leap);
    at = close;
    return {
      time: toUnixSeconds(
        BEGIN + index * PERIOD_SECONDS[period] + (index > closed.after ? closed.days * 86_400 : 0),
      ),
      open: double(open),
      high: double(Math.max(open, close) + above * leap),
      low: double(Math.max(1000, Math.min(open, close) - below * leap)),
      close: double(close),
      volume: 4,
    };
  });
}

/** Sessions of a piece of the count. */
const PIECE = 40;

describe('a practice session against the engine of the server', () => {
  let database: Database;
  beforeAll(async () => {
    database = await emptyDatabase();
  });
  afterAll(() => database.close());

  const runs = samples(40, 1000);
  inTurn(it)(
    `is equal to it, digit for digit, in ${runs} sessions`,
    () =>
      largeCountInPieces(
        'practice sessions equal to the server',
        runs,
        PIECE,
        async ({ from, count }) => {
          const happened = Object.fromEntries(['ticks', ...EVERYTHING].map((what) => [what, 0]));
          await database.db.execute(TRUNCATE);
          await fc.assert(
            fc.asyncProperty(sessions, async (each) => {
              const played = await Played.open(database, each);
              for (const step of each.steps) await played.take(step);
              await played.finish();
              happened['ticks'] = (happened['ticks'] ?? 0) + played.ticks;
              for (const what of played.what) happened[what] = (happened[what] ?? 0) + 1;
            }),
            {
              ...{ numRuns: count, seed: seed + from, endOnFailure: !process.env.SHRINK },
              examples: from === 0 ? [[LEAP]] : [],
            },
          );
          return happened;
        },
        (pieces) => {
          const { ticks, ...happened } = addUp(pieces);
          for (const what of EVERYTHING) expect(happened[what], what).toBeGreaterThan(0);
          return `${ticks} ticks; sessions with ${tally(happened)}`;
        },
      ),
    samples(300_000, 3_600_000),
  );
});

/** A session, and the server with the same ticks and commands. */
class Played {
  readonly what = new Set<string>();
  ticks = 0;
  private session: PracticeSession;
  private readonly setup: PracticeSession['setup'];
  private readonly market: ScriptedMarket;
  private readonly trading: TestTrading;
  private readonly user: number;
  /** The id before the server's first order of this session. */
  private readonly before: number;

  private constructor(
    session: PracticeSession,
    market: ScriptedMarket,
    trading: TestTrading,
    user: number,
    before: number,
  ) {
    this.session = session;
    this.setup = session.setup;
    this.market = market;
    this.trading = trading;
    this.user = user;
    this.before = before;
  }

  static async open(database: Database, each: Setup): Promise<Played> {
    const listed = instrument(1, 'EURUSD', {
      marginMode: each.fixed ? 'fixed' : 'leveraged',
      feeRate: toFeeRate(each.feeRate),
      // A Wednesday's night counts three: the second one of the session.
      ...(each.charges && { swap: SWAP }),
    });
    const feeType = each.feePerLot ? 'per-lot' : 'rate';
    const { quoteFill } = each;
    const session = new PracticeSession({
      instrument: { ...listed, id: practiceId(1) },
      period: each.period,
      bars: barsOf(each),
      spread: point(each.spread),
      feeType,
      quoteFill,
      balance: DEMO_BALANCE,
    });
    const market = new ScriptedMarket([listed], toUnixMs(BEGIN * 1000));
    const { db } = database;
    const trading = await TestTrading.open(db, market, feeType, noWatch, quoteFill, each.charges);
    const user = await trading.addUser();
    const last = await db.execute<{ id: number }>(
      sql`select coalesce(max(id), 0)::int as id from orders`,
    );
    const played = new Played(session, market, trading, user, last.rows[0]?.id ?? 0);
    await played.play();
    return played;
  }

  async take(step: Step): Promise<void> {
    if (this.session.isOver) return;
    if (step.do === 'play') {
      for (let i = 0; i < step.ticks && !this.session.isOver; i++) await this.play();
    } else if (step.do === 'resume') this.resume();
    else {
      const command = this.command(step);
      if (command) await this.act(command);
    }
    await this.compare();
  }

  async finish(): Promise<void> {
    if (!this.session.isOver) await this.act({ do: 'end' });
    await this.compare();
    for (const { closeReason } of this.session.closed) this.what.add(closeReason);
    expect(this.trading.errors).toEqual([]);
    this.trading.close();
  }

  private async play(): Promise<void> {
    const pending = new Set(
      this.session.open.filter(({ status }) => status === 'pending').map(({ id }) => id),
    );
    const ended = this.session.closed.length;
    const stops = new Map(this.session.open.map(({ id, stopLoss }) => [id, toText(stopLoss)]));
    const charged = new Map(this.session.open.map(({ id, swap }) => [id, swap]));
    const before = this.session.time;
    this.session.play();
    this.ticks++;
    for (const { id, status, stopLoss } of this.session.open) {
      if (pending.has(id) && status === 'holding') this.what.add('filled later');
      else if (stops.get(id) !== toText(stopLoss)) this.what.add('followed');
    }
    for (const { id, swap, status } of this.session.open) {
      if (status !== 'holding' || toText(swap) === toText(charged.get(id) ?? toUsd(0))) continue;
      this.what.add('charged');
      const midnights = midnightsBetween(before, this.session.time);
      if (midnights.some((at) => new Date(at).getUTCDay() === SWAP.triple))
        this.what.add('charged for three nights');
    }
    const { tick } = this.session;
    if (!tick) throw new Error('nothing was played');
    this.market.time = tick.time;
    await this.market.turn([{ ...tick, instrumentId: 1, volume: 1 }]);
    const own = this.session.closed.slice(ended);
    if (
      own.some(({ id, closeReason }) => pending.has(id) && closeReason === 'cancelled') &&
      !this.session.isOver
    )
      this.what.add('fill refused');
    if (
      own.length > 0 &&
      this.session.account.positions.size === 0 &&
      toText(this.session.account.balance) === '0'
    )
      this.what.add('lifted');
    // The last tick ends the session; the server is told.
    if (this.session.isOver) await this.endServer();
  }

  /** What a step means at the present price. */
  private command(step: Exclude<Step, { do: 'play' | 'resume' }>): PracticeCommand | undefined {
    const price = Math.round((this.session.tick?.price ?? 0) * 100_000);
    const text = (points: number) => toFixed(point(points), 5);
    const exits = (
      at: number,
      long: boolean,
      { loss, gain, trail: behind }: { loss: number; gain: number; trail: number },
    ) => ({
      stopLoss: loss === 0 ? '' : text(at + (long ? -loss : loss)),
      takeProfit: gain === 0 ? '' : text(at + (long ? gain : -gain)),
      trailing: behind === 0 ? '' : text(behind),
    });
    if (step.do === 'submit') {
      const { pending, buy, size } = step;
      const target = price + step.target;
      const { marginMode } = this.setup.instrument;
      const each = marginMode === 'fixed' ? 100_000 : double(price) * 1000;
      const most = (Number(toText(DEMO_BALANCE)) / each) * (size / 100);
      return {
        do: 'submit',
        ticket: {
          instrumentId: practiceId(1),
          side: buy ? 'buy' : 'sell',
          type: pending ? 'pending' : 'market',
          lots: most.toFixed(2),
          leverage: marginMode === 'fixed' ? '' : '100',
          targetPrice: pending || step.deviation > 0 ? text(target) : '',
          ...exits(pending ? target : price, buy, step),
          deviation: pending || step.deviation <= 0 ? '' : text(step.deviation),
          until: pending ? this.until(step.expires) : undefined,
        },
      };
    }
    const { open } = this.session;
    const pending = open.filter(({ status }) => status === 'pending');
    // Now and then what can't be amended.
    const among = step.do === 'amend' && step.which > 2 && pending.length > 0 ? pending : open;
    const order = among[step.which % (among.length || 1)];
    if (!order) return { do: 'cancel', id: 10_000 };
    const { id } = order;
    if (step.do === 'cancel') return { do: 'cancel', id };
    if (step.do === 'amend') {
      const target = price + step.target;
      const lots = toFixed(multiply(order.lots, decimal(BigInt(step.size), 2)), 2);
      const terms = { lots, targetPrice: text(target), until: this.until(step.expires) };
      return { do: 'amend', id, terms: { ...terms, ...exits(target, order.side === 'buy', step) } };
    }
    if (step.do === 'close') {
      const lots =
        step.percent === 100
          ? ''
          : toFixed(multiply(order.lots, decimal(BigInt(step.percent), 2)), 2);
      return { do: 'close', id, lots };
    }
    const at =
      order.status === 'pending' ? Math.round(Number(toText(order.originPrice)) * 100_000) : price;
    return { do: 'exits', id, ...exits(at, order.side === 'buy', step) };
  }

  private until(tenths: number | undefined): UnixMs | undefined {
    if (tenths === undefined) return undefined;
    return toUnixMs(this.session.time + tenths * PERIOD_SECONDS[this.setup.period] * 100);
  }

  private async act(command: PracticeCommand): Promise<void> {
    if (command.do === 'end') {
      this.session.act(command);
      this.what.add('end done');
      await this.endServer();
      return;
    }
    const { problem, done } = this.session.act(command);
    const refusal = await this.server(command).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof Refusal) return error.key;
        throw error;
      },
    );
    const named = command.do === 'close' && command.lots !== '' ? 'part' : command.do;
    this.what.add(`${named} ${problem ? 'refused' : 'done'}`);
    if (command.do === 'amend' && done?.status === 'holding') this.what.add('amended to a fill');
    // An order that is unknown has ended, in a session.
    if ('id' in command && command.id === 10_000) expect(refusal).toBe('server.orderUnknown');
    else expect(refusal, JSON.stringify(command)).toBe(problem && `rules.${problem.key}`);
  }

  private server(command: Exclude<PracticeCommand, { do: 'end' }>): Promise<unknown> {
    const { trading, user } = this;
    if (command.do === 'submit') return trading.submit(user, 1, requestOf(command.ticket));
    const id = command.id + this.before;
    const none = toPrice(0);
    return trading.run((work) => {
      if (command.do === 'cancel') return trading.engine.cancel(work, user, id);
      if (command.do === 'close')
        return trading.engine.close(work, user, id, readLots(command.lots));
      if (command.do === 'amend') {
        const { targetPrice, stopLoss, takeProfit, trailing, lots, until } = command.terms;
        return trading.engine.amend(work, user, id, {
          lots: readLots(lots),
          targetPrice: readPrice(targetPrice),
          stopLoss: readPrice(stopLoss),
          takeProfit: readPrice(takeProfit),
          trailing: readPrice(trailing),
          until,
        });
      }
      return trading.engine.setExits(work, user, id, {
        stopLoss: readPrice(command.stopLoss) ?? none,
        takeProfit: readPrice(command.takeProfit) ?? none,
        trailing: readPrice(command.trailing) ?? none,
      });
    });
  }

  /** What the end of a session does, by the calls of a user. */
  private async endServer(): Promise<void> {
    const { engine } = this.trading;
    const account = engine.openOrders.account(this.user);
    const open = [...(account?.pending.keys() ?? []), ...(account?.positions.keys() ?? [])];
    for (const id of open.sort((a, b) => a - b)) {
      await this.trading.run((work) =>
        account?.pending.has(id)
          ? engine.cancel(work, this.user, id)
          : engine.close(work, this.user, id),
      );
    }
  }

  /** The session as the app finds it again. */
  private resume(): void {
    const { setup } = this;
    const day = readDay(structuredClone(storedDay(7, { ...setup, earlier: [] })))?.day;
    const log = readLog(structuredClone(storedLog(7, this.session.log)), 7);
    if (!day || !log) throw new Error('what is stored can not be read');
    const resumed = PracticeSession.resumed(day, log);
    if (!resumed) throw new Error('the session is not resumed');
    this.session = resumed;
    this.what.add('resumed');
  }

  private async compare(): Promise<void> {
    const { db } = this.trading.transactions;
    const account = this.trading.engine.openOrders.account(this.user);
    const open = [
      ...(account?.pending.values() ?? []),
      ...[...(account?.positions.values() ?? [])].map(({ order }) => order),
    ];
    const closed = (await history(db, this.user, 0, 1000)).orders;
    const byId = (a: Record<string, unknown>, b: Record<string, unknown>) =>
      Number(a['id']) - Number(b['id']);
    const server = [...open, ...closed].map((order) => this.plain(order, this.before)).sort(byId);
    const session = [...this.session.open, ...this.session.closed]
      .map((order) => this.plain(order, 0))
      .sort(byId);
    expect(session).toEqual(server);
    const { balances } = this.trading.ledger;
    const { available, frozen } = await balances.call(this.trading.ledger, db, this.user);
    const own = this.session.account;
    expect([own.balance, own.marginInUse].map(toText)).toEqual([available, frozen].map(toText));
    expect(toText(own.profit)).toBe(toText(account?.profit ?? toPrice(0)));
  }

  /** An order without what only names it. */
  private plain(order: OrderState, before: number): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries({
        ...order,
        id: order.id - before,
        splitFrom: order.splitFrom === null ? null : order.splitFrom - before,
      })
        .filter(([name]) => !USER_FIELDS.has(name))
        .map(([name, value]) => [name, isDecimal(value) ? exact(value) : value]),
    );
  }
}

function isDecimal(value: unknown): value is Decimal {
  return typeof value === 'object' && value !== null && 'digits' in value;
}

const exact = (value: Decimal) => toText(value as Price);
