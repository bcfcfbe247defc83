import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toFixed, toNumber, ZERO } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { toUsd } from '#domain/core/units';
import { fillPrice, OPPOSITE } from '#domain/trading/fill';
import { PROFIT_SCALE, profit } from '#domain/trading/profit';
import { previewTicket } from '#domain/trading/ticket';
import type { Database } from '../../../../server/db/database';
import { audit } from '../../../../server/ledger/audit';
import { LiveMarket } from '../../../../server/market/live/liveMarket';
import type { LiveOptions } from '../../../../server/market/live/liveOptions';
import { instrumentRow, klineRow } from '../../../../server/market/quotes/rows';
import { noWatch } from '../../../../server/trading/tickWatch';
import { lots, price, times } from '../../../domain/support/instruments';
import { inTurn } from '../../../helpers/samples';
import { emptyDatabase } from '../../support/database';
import { FakeClock } from '../../support/fakeClock';
import { market, pending, refusalOf, TestTrading } from '../../trading/testTrading';
import { RecordingListener, RecordingLog } from '../recordingListener';
import { liveOptions, passUntil, settled } from './opening';
import { ScriptedKraken } from './scriptedKraken';

const START = Date.UTC(2026, 10, 23, 10, 30, 10);
/** The start of the minute in which the tests begin, s. */
const M0 = Date.UTC(2026, 10, 23, 10, 30) / 1000;
const BTC = 1;
/** A minute that was over before. */
const PAST = [M0 - 60, 100, 100, 100, 100, 1];
const order = { lots: '0.1', leverage: '10' };

let kraken: ScriptedKraken;
let database: Database;
let servers: Server[];

beforeEach(async () => {
  kraken = await ScriptedKraken.start();
  database = await emptyDatabase();
  servers = [];
  kraken.rows.set(1, [PAST, [M0, 100, 100, 100, 100, 1]]);
});

afterEach(async () => {
  for (const server of servers) await server.stop();
  await kraken.stop();
  const problems = await audit(database.db);
  await database.close();
  expect(problems).toEqual([]);
});

/** A server that trades at a live exchange, by a clock of its own. */
class Server {
  readonly clock: FakeClock;
  readonly seen = new RecordingListener();
  readonly market: LiveMarket;
  readonly trading: TestTrading;

  private constructor(clock: FakeClock, live: LiveMarket, trading: TestTrading) {
    this.clock = clock;
    this.market = live;
    this.trading = trading;
    live.listen(this.seen);
  }

  static async start(options: Partial<LiveOptions> = {}, now = START): Promise<Server> {
    const clock = new FakeClock(toUnixMs(now));
    const live = await settled(
      LiveMarket.open(
        liveOptions(kraken.port, { codes: ['BTC/USD'], ...options }),
        database.db,
        clock,
        new RecordingLog(),
      ),
      (done) => until(clock, done),
    );
    const { db } = database;
    const quoteFill = options.fillsAtQuote ? 1 : 0;
    const trading = await TestTrading.open(db, live, 'per-lot', noWatch, quoteFill);
    const server = new Server(clock, live, trading);
    servers.push(server);
    await live.start();
    await server.until(() => server.isOpen);
    return server;
  }

  get isOpen(): boolean {
    return this.market.quote(BTC)?.marketOpen === true;
  }

  until(done: () => boolean, step = 100): Promise<void> {
    return until(this.clock, done, step);
  }

  /** A trade at Kraken, which the server has read. */
  async price(value: number): Promise<void> {
    kraken.trades([{ time: this.clock.now(), price: value, volume: 1 }]);
    await this.until(() => this.market.quote(BTC)?.price === value, 1);
    await this.market.exclusively(() => {});
  }

  async orders(user: number, status: number) {
    return (await this.trading.rows(user, status)).sort((a, b) => a.Id - b.Id);
  }

  async stop(): Promise<void> {
    servers = servers.filter((each) => each !== this);
    await Promise.all([this.market.stop(), this.clock.advance(2_000)]);
    this.trading.close();
    expect(this.trading.errors).toEqual([]);
  }

  /** Its clock stands still from here on, so that it writes nothing more. */
  kill(): void {
    this.trading.close();
  }
}

/** Moves time on, in steps in which messages come, until `done`. */
async function until(clock: FakeClock, done: () => boolean, step = 100): Promise<void> {
  await passUntil(clock, done, step, () => kraken.send({ channel: 'heartbeat' }));
}

describe('open orders of a live market', () => {
  inTurn(it)('say the same as list and bars where the exchange makes its step finer', async () => {
    const server = await Server.start();
    const { trading } = server;
    const user = await trading.addUser();
    await server.price(100);
    await trading.submit(user, BTC, market({ ...order, stopLoss: '95' }));
    await server.price(99.14922);
    await trading.submit(user, BTC, market(order));
    const [instrument] = server.market.instruments;
    if (!instrument) throw new Error('no instrument');
    const listed = instrumentRow(instrument, [], server.market.quote(BTC), () => '');
    expect(listed).toMatchObject({ PricePrecision: 5, ForexQuotations: { Close: '99.14922' } });
    const bar = server.market.currentBar(BTC);
    expect(bar && klineRow(bar, instrument.precision).Close).toBe('99.14922');
    const now = { UpdatePrice: '99.14922', ForexTradeLists: { PricePrecision: 5 } };
    expect(await server.orders(user, 1)).toMatchObject([
      { ...now, Price: '100.00000', TargetLossPrice: '95.00000' },
      { ...now, Price: '99.14922' },
    ]);
  });

  inTurn(it)(
    'go on at another exchange, whose first price triggers them, and no bar of the past',
    async () => {
      const server = await Server.start({ exchanges: ['kraken', 'binance'] });
      const { clock, trading, seen } = server;
      await server.until(() => kraken.binance.size === 1);
      const user = await trading.addUser();
      await server.price(100);
      const stopped = await trading.submit(user, BTC, market({ ...order, stopLoss: '95' }));
      const short = await trading.submit(
        user,
        BTC,
        market({ ...order, side: 'sell', stopLoss: '130' }),
      );
      const following = await trading.submit(user, BTC, market({ ...order, trailing: '8' }));
      const waiting = await trading.submit(user, BTC, pending('105', order));
      await server.until(() => clock.now() > (M0 + 70) * 1000, 500);
      await server.price(98);
      await server.price(100);

      // Binance had prices in this minute at which all of them would have ended, while Kraken's were told.
      kraken.binanceRows = [[(M0 + 60) * 1000, '101', '150', '99', '101', '7']];
      kraken.refusing = true;
      kraken.restStatus = 503;
      const ticks = seen.ticked.length;
      kraken.drop();
      await server.until(() => !server.isOpen, 1);
      // What it says before its klines have come is no price yet.
      kraken.binanceTrade(clock.now(), 90, 1, 1);
      expect(await refusalOf(trading.submit(user, BTC, market(order)))).toBe('rules.marketClosed');
      await server.until(() => clock.now() % 1_000 < 100);
      expect(seen.ticked).toHaveLength(ticks);
      kraken.restStatus = 200;
      await server.until(() => server.isOpen);
      await server.market.exclusively(() => {});
      expect(seen.ticked.slice(ticks).map((tick) => tick.price)).toEqual([101]);
      expect(server.market.currentBar(BTC)).toMatchObject({ open: 101, high: 150 });
      expect(await server.orders(user, 3)).toEqual([]);
      expect(await server.orders(user, 1)).toMatchObject([
        { Id: stopped.id, TargetLossPrice: '95.0' },
        { Id: short.id },
        { Id: following.id, TargetLossPrice: '93.0' },
      ]);

      kraken.binanceTrade(clock.now(), 94.9, 1, 2);
      await server.until(() => server.market.quote(BTC)?.price === 94.9, 1);
      await server.market.exclusively(() => {});
      expect(await server.orders(user, 3)).toMatchObject([
        { Id: stopped.id, CloseReason: 'stop_loss', UpdatePrice: '94.9' },
      ]);
      kraken.binanceTrade(clock.now(), 106, 1, 3);
      await server.until(() => server.market.quote(BTC)?.price === 106, 1);
      await server.market.exclusively(() => {});
      expect(await server.orders(user, 1)).toMatchObject([
        { Id: short.id },
        { Id: following.id, TargetLossPrice: '98.0' },
        { Id: waiting.id, Price: '106.0' },
      ]);
    },
  );

  it.each(['stopped', 'killed'])(
    'keep the highest price that their stop has followed when the server is %s',
    async (how) => {
      const first = await Server.start();
      const user = await first.trading.addUser();
      // No bar waits to be written, with which the stop would be.
      await first.until(() => first.seen.saved > 0);
      await first.until(() => first.clock.now() % 1_000 < 100);
      await first.price(120);
      await first.price(100);
      const { id } = await first.trading.submit(user, BTC, market({ ...order, trailing: '5' }));
      await first.price(110);
      if (how === 'killed') {
        // A second later it is written.
        const { saved } = first.seen;
        await first.until(() => first.seen.saved > saved);
        first.kill();
      } else await first.stop();

      // The minute's high is from before the order.
      kraken.rows.set(1, [[M0, 100, 120, 100, 107, 9]]);
      const second = await Server.start({}, first.clock.now() + 5_000);
      expect(await second.orders(user, 1)).toMatchObject([{ Id: id, TargetLossPrice: '105.0' }]);
      await second.stop();

      // While it is down, the price goes up and comes back.
      kraken.rows.set(1, [
        [M0, 100, 120, 100, 107, 9],
        [M0 + 60, 107, 130, 106, 126, 9],
        [M0 + 120, 126, 126, 126, 126, 1],
      ]);
      const third = await Server.start({}, (M0 + 130) * 1000);
      await third.market.exclusively(() => {});
      expect(await third.orders(user, 1)).toMatchObject([{ Id: id, TargetLossPrice: '125.0' }]);
      await third.price(124.9);
      expect(await third.orders(user, 3)).toMatchObject([
        { Id: id, CloseReason: 'stop_loss', UpdatePrice: '124.9' },
      ]);
    },
  );

  inTurn(it)(
    'know at another exchange, after a restart, what was missed, and nothing of the minute of the restart',
    async () => {
      const exchanges: LiveOptions['exchanges'] = ['kraken', 'binance'];
      const first = await Server.start({ exchanges });
      const user = await first.trading.addUser();
      await first.price(100);
      const { id } = await first.trading.submit(user, BTC, market({ ...order, trailing: '8' }));
      // Its first minute is over and kept.
      await first.until(() => first.clock.now() > (M0 + 70) * 1000, 500);
      await first.price(99);
      await first.stop();

      // Binance had prices in that minute that were not told, as Kraken's were.
      const shared = [(M0 + 60) * 1000, '101', '150', '99', '101', '7'];
      kraken.binanceRows = [shared];
      kraken.refusing = true;
      const second = await Server.start({ exchanges }, first.clock.now() + 5_000);
      await second.market.exclusively(() => {});
      expect(await second.orders(user, 1)).toMatchObject([{ Id: id, TargetLossPrice: '93.0' }]);
      await second.stop();

      // Binance goes on, so that all of its prices count that are told by nobody.
      kraken.binanceRows = [
        shared,
        [(M0 + 120) * 1000, '101', '130', '101', '126', '7'],
        [(M0 + 180) * 1000, '126', '126', '126', '126', '7'],
      ];
      const third = await Server.start({ exchanges }, (M0 + 190) * 1000);
      await third.market.exclusively(() => {});
      expect(await third.orders(user, 1)).toMatchObject([{ Id: id, TargetLossPrice: '122.0' }]);
    },
  );

  it('end at no spike of the bars that fill a gap, within them or as their last price', async () => {
    const limits = { jump: 10, floor: 0.005, spread: 10, silence: 30, confirmations: 3 };
    const server = await Server.start({ limits });
    const { clock, trading } = server;
    const user = await trading.addUser();
    await server.price(100);
    const stopped = await trading.submit(user, BTC, market({ ...order, stopLoss: '95' }));
    const following = await trading.submit(user, BTC, market({ ...order, trailing: '8' }));
    const waiting = await trading.submit(user, BTC, pending('90', order));
    kraken.refusing = true;
    kraken.drop();
    await server.until(() => !server.isOpen, 1);
    await server.until(() => clock.now() > (M0 + 190) * 1000, 500);
    const rows = [
      [M0, 100, 100, 100, 100, 1],
      [M0 + 60, 100, 150, 50, 100.2, 9],
      // As if its last trade was wrong.
      [M0 + 120, 100.2, 130, 100.2, 130, 9],
      [M0 + 180, 100.2, 100.2, 60, 60, 1],
    ];
    kraken.rows.set(1, rows);
    kraken.refusing = false;
    await server.until(() => server.market.quote(BTC)?.closedReason === 'doubt');
    await server.market.exclusively(() => {});
    expect(server.market.quote(BTC)?.price).toBe(100);
    const untouched = async () => {
      expect(await server.orders(user, 3)).toEqual([]);
      expect((await server.orders(user, 0)).map(({ Id }) => Id)).toEqual([waiting.id]);
      expect(await server.orders(user, 1)).toMatchObject([
        { Id: stopped.id },
        { Id: following.id, TargetLossPrice: '92.2' },
      ]);
    };
    await untouched();
    await server.price(100.1);
    expect(server.isOpen).toBe(true);
    await untouched();
    // The chart shows what the exchange has.
    const bars = await server.market.bars(BTC, '1min', 4);
    expect(bars.map(({ low, high }) => [low, high])).toContainEqual([50, 150]);
  });

  inTurn(it)(
    'follow no price from before the distance was set, though it is told later',
    async () => {
      const server = await Server.start();
      const { clock, trading } = server;
      const user = await trading.addUser();
      await server.price(100);
      const { id } = await trading.submit(user, BTC, market(order));
      kraken.refusing = true;
      kraken.drop();
      await server.until(() => !server.isOpen, 1);
      await server.until(() => clock.now() > (M0 + 190) * 1000, 500);
      await trading.run((work) =>
        trading.engine.setExits(work, user, id, {
          stopLoss: ZERO,
          takeProfit: ZERO,
          trailing: price('5'),
        }),
      );
      kraken.rows.set(1, [
        [M0, 100, 100, 100, 100, 1],
        [M0 + 60, 100, 150, 100, 100, 1],
        [M0 + 180, 100, 100, 100, 100, 1],
      ]);
      kraken.refusing = false;
      await server.until(() => server.isOpen);
      await server.market.exclusively(() => {});
      expect(await server.orders(user, 1)).toMatchObject([{ Id: id, TargetLossPrice: '95.0' }]);
    },
  );
});

describe('orders that fill at bid and ask', () => {
  const topOfBook = { bid: 99.8, ask: 100.3 };

  it.each(['buy', 'sell'] as const)('are booked as their form says: %s', async (side) => {
    const server = await Server.start({ fillsAtQuote: true });
    const { trading } = server;
    const [instrument] = server.market.instruments;
    if (!instrument) throw new Error('no instrument');
    const user = await trading.addUser();
    await server.price(100);
    kraken.topOfBook(topOfBook.bid, topOfBook.ask);
    await server.until(() => server.market.quote(BTC)?.bid === topOfBook.bid, 1);

    const before = await trading.portfolio.summary(user);
    const preview = previewTicket(
      {
        instrument,
        feeType: 'per-lot',
        type: 'market',
        side,
        lots: lots(order.lots),
        leverage: times(order.leverage),
        price: price('100'),
        fill: fillPrice(side, price('100'), topOfBook),
        target: ZERO,
      },
      {
        balance: toUsd(before.balance),
        marginInUse: toUsd(before.caution_money),
        profit: toUsd(before.fact_profits),
        exposure: ZERO,
      },
    );
    await trading.submit(user, BTC, market({ ...order, side }));
    const [held] = await server.orders(user, 1);
    expect(held).toMatchObject({
      Price: side === 'buy' ? '100.3' : '99.8',
      CautionMoney: toFixed(preview.margin, 2),
      TradeFee: toFixed(preview.fee, 2),
    });
    const { free_balance } = await trading.portfolio.summary(user);
    expect(free_balance).toBe(toFixed(preview.availableAfter, 6));

    // Closed by hand at the other side of the book of then.
    const later = { bid: 101.2, ask: 101.9 };
    kraken.topOfBook(later.bid, later.ask);
    await server.until(() => server.market.quote(BTC)?.bid === later.bid, 1);
    const { unitsPerLot } = instrument;
    const position = { side, lots: lots(order.lots), unitsPerLot, price: preview.price };
    const closing = fillPrice(OPPOSITE[side], price('100'), later);
    await trading.run((work) => trading.engine.close(work, user, held?.Id ?? 0));
    expect(await server.orders(user, 3)).toMatchObject([
      {
        UpdatePrice: String(toNumber(closing)),
        FactProfits: toFixed(profit(position, closing), PROFIT_SCALE),
      },
    ]);
  });

  it('have stops that trades trigger, and no bid', async () => {
    const server = await Server.start({ fillsAtQuote: true });
    const { trading } = server;
    const user = await trading.addUser();
    await server.price(100);
    kraken.topOfBook(topOfBook.bid, topOfBook.ask);
    await server.until(() => server.market.quote(BTC)?.bid === topOfBook.bid, 1);
    const { id } = await trading.submit(user, BTC, market({ ...order, stopLoss: '99' }));
    kraken.topOfBook(98, 98.2);
    await server.until(() => server.market.quote(BTC)?.bid === 98, 1);
    await server.until(() => server.seen.books.length > 0);
    expect(await server.orders(user, 1)).toMatchObject([{ Id: id }]);
    await server.price(98.9);
    expect(await server.orders(user, 3)).toMatchObject([
      { Id: id, CloseReason: 'stop_loss', UpdatePrice: '98.9' },
    ]);
  });
});
