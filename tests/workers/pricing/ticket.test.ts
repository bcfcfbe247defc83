import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compare,
  type Decimal,
  decimal,
  multiply,
  product,
  sign,
  toDecimal,
  toText,
  ZERO,
} from '#domain/core/decimal';
import { type Lots, type Price, toLeverage, toLots, toUnits, toUsd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { available, equity } from '#domain/trading/accountSummary';
import { fee, margin } from '#domain/trading/margin';
import {
  exitsProblem,
  farTargetProblem,
  type OrderRequest,
  orderProblem,
} from '#domain/trading/rules';
import type { AccountSnapshot } from '#domain/trading/stopOut';
import { previewTicket } from '#domain/trading/ticket';
import type { TicketInput } from '#domain/trading/ticketInput';
import { lotsAtRisk, rewardToRisk, riskAt, riskPercent } from '#domain/trading/tradeRisk';
import { followedStop } from '#domain/trading/triggers';
import { previewOf } from '../../../workers/pricing/preview';
import { instrument, price, usd } from '../../domain/support/instruments';
import { samples, seed } from '../../helpers/samples';
import { loggedInWorker, TestServer } from '../support/testServer';
import { createTestWorker, instrumentRow, type TestWorker } from '../support/testWorker';
import { TICKET as A_TENTH } from '../support/ticket';

const TICKET: TicketInput = { ...A_TENTH, lots: '1' };

/** The figures of risk, from the same functions of the domain. */
function riskOf(
  { side, lots = ZERO, takeProfit, ...request }: OrderRequest,
  price: Price,
  exitReference: Price,
  { unitsPerLot, precision, ...rest }: Instrument,
  account: AccountSnapshot,
  most: Lots,
) {
  const position = { side, lots, unitsPerLot, price };
  const { stopLoss: fixed = ZERO, trailing = ZERO } = request;
  const opening = followedStop({ side, stopLoss: fixed, trailing }, exitReference);
  const stopLoss = sign(opening) > 0 ? opening : undefined;
  const risk = stopLoss && riskAt(position, stopLoss);
  const text = (value: Decimal | undefined) => value && toText(value);
  const placed =
    stopLoss && !exitsProblem(side, exitReference, precision, { stopLoss, takeProfit: undefined });
  return {
    risk: text(risk),
    riskPercent: text(risk && riskPercent(risk, equity(account))),
    rewardToRisk: text(risk && takeProfit && rewardToRisk(position, risk, takeProfit)),
    lotsAtRisk: text(
      placed
        ? lotsAtRisk({ unitsPerLot, ...rest }, price, stopLoss, equity(account), most)
        : undefined,
    ),
  };
}

describe('a preview', () => {
  const shape = fc.record({
    precision: fc.integer({ min: 0, max: 5 }),
    unitsPerLot: fc.constantFrom('0.1', '1', '10', '100', '5000', '100000'),
    lotStep: fc.constantFrom('0.01', '0.1', '1'),
    marginMode: fc.constantFrom('fixed' as const, 'leveraged' as const),
    feeRate: fc.integer({ min: 0, max: 20_000 }).map((rate) => toText(decimal(rate, 5))),
  });
  const amount = (max: number, scale: number) =>
    fc.integer({ min: 1, max }).map((digits) => toText(decimal(digits, scale)));
  const given = fc.record({
    shape,
    feeType: fc.constantFrom('per-lot' as const, 'rate' as const),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    type: fc.constantFrom('market' as const, 'pending' as const),
    lots: amount(3000, 2),
    leverage: fc.constantFrom('50', '100', '200'),
    price: amount(9_999_999, 4),
    target: amount(9_999_999, 4),
    quoteFill: fc.constantFrom(0 as const, 1 as const, 2 as const),
    topOfBook: fc.option(fc.record({ bid: amount(9_999_999, 4), ask: amount(9_999_999, 4) }), {
      nil: undefined,
    }),
    stopLoss: fc.option(amount(9_999_999, 4), { nil: '' }),
    takeProfit: fc.option(amount(9_999_999, 4), { nil: '' }),
    trailing: fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: amount(9_999_999, 4) },
    ),
    deviation: fc.option(amount(999, 4), { nil: '' }),
    balance: fc.integer({ min: -1_000_000, max: 100_000_000 }),
    marginInUse: fc.nat(10_000_000),
    profit: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
    exposure: fc.integer({ min: -10_000_000, max: 10_000_000 }),
  });

  it('is what the server books and checks, digit for digit', () => {
    const kinds = new Set<string | undefined>();
    fc.assert(
      fc.property(given, (ticket) => {
        const { side, type, feeType } = ticket;
        const listed = instrument(ticket.shape);
        const snapshot: AccountSnapshot = {
          balance: toUsd(decimal(ticket.balance, 2)),
          marginInUse: toUsd(decimal(ticket.marginInUse, 2)),
          profit: toUsd(decimal(ticket.profit, 6)),
          exposure: toUnits(decimal(ticket.exposure, 2)),
        };
        const input: TicketInput = {
          instrumentId: 1,
          side,
          type,
          lots: ticket.lots,
          leverage: ticket.leverage,
          targetPrice: type === 'pending' || ticket.deviation ? ticket.target : '',
          stopLoss: ticket.stopLoss,
          takeProfit: ticket.takeProfit,
          trailing: ticket.trailing,
          deviation: type === 'market' ? ticket.deviation : '',
        };
        const current = price(ticket.price);
        const { topOfBook, quoteFill } = ticket;
        const [bid, ask] = topOfBook
          ? [price(topOfBook.bid), price(topOfBook.ask)]
          : [current, current];
        const [quoted, other] = side === 'buy' ? [ask, bid] : [bid, ask];
        const fill = quoteFill > 0 ? quoted : current;
        // What it closes at, and of a pending order what it opens at.
        const held = quoteFill === 2 ? other : current;
        const reference = quoteFill === 2 && type === 'pending' ? quoted : held;
        const preview = previewOf(input, {
          instrument: listed,
          price: current,
          topOfBook: topOfBook && { bid: Number(topOfBook.bid), ask: Number(topOfBook.ask) },
          quoteFill,
          marketOpen: true,
          openOrders: 0,
          feeType,
          snapshot,
        });

        // The ticket as the server reads it from the request.
        const sent = (text: string) => (text === '' ? undefined : toDecimal(text));
        const lots = toLots(ticket.lots);
        const leverage = toLeverage(ticket.leverage);
        const request: OrderRequest = {
          side,
          type,
          lots,
          leverage,
          targetPrice: sent(input.targetPrice) as Price | undefined,
          stopLoss: sent(input.stopLoss) as Price | undefined,
          takeProfit: sent(input.takeProfit) as Price | undefined,
          trailing: sent(input.trailing) as Price | undefined,
          deviation: sent(input.deviation) as Price | undefined,
        };
        const priced = type === 'pending' ? price(ticket.target) : fill;
        const exitReference = type === 'pending' ? price(ticket.target) : held;
        const problem = orderProblem(request, {
          instrument: listed,
          feeType,
          marketOpen: true,
          openOrders: 0,
          price: reference,
          fill,
          crossed: quoteFill === 2 && compare(bid, ask) > 0,
          available: available(snapshot),
        });
        kinds.add(problem?.field);
        const whole = previewTicket(
          {
            instrument: listed,
            feeType,
            type,
            side,
            lots,
            leverage,
            price: held,
            fill,
            reference,
            target: priced,
          },
          snapshot,
        );
        const text = (value: Decimal | undefined) => value && toText(value);
        expect(preview).toEqual({
          price: toText(priced),
          exitReference: toText(exitReference),
          reference: type === 'pending' ? toText(reference) : undefined,
          atQuote: type === 'market' && quoteFill > 0 && topOfBook !== undefined,
          margin: toText(margin(listed, lots, priced, leverage)),
          fee: toText(fee(listed, feeType, lots, priced, leverage)),
          units: toText(product(lots, listed.unitsPerLot)),
          value: toText(product(product(lots, listed.unitsPerLot), priced)),
          pointValue: toText(
            multiply(product(lots, listed.unitsPerLot), decimal(1, listed.precision)),
          ),
          availableAfter: text(whole.availableAfter),
          maxLots: text(whole.maxLots),
          stopOutPrice: text(whole.stopOutPrice),
          ...riskOf(request, priced, exitReference, listed, snapshot, whole.maxLots),
          problem:
            (problem?.field === 'instrument' ? undefined : farTargetProblem(request, reference)) ??
            problem,
        });
      }),
      { numRuns: samples(2000, 100_000), seed },
    );
    expect(kinds).toEqual(
      new Set([
        ...[
          undefined,
          'instrument',
          'lots',
          'targetPrice',
          'stopLoss',
          'takeProfit',
          'trailing',
          'deviation',
        ],
        'balance',
      ]),
    );
  });

  const context = {
    instrument: instrument(),
    price: price('1.1'),
    marketOpen: true,
    openOrders: 0,
    feeType: 'per-lot' as const,
    snapshot: {
      balance: usd('1000'),
      marginInUse: usd('0'),
      profit: usd('0'),
      exposure: toUnits('0'),
    },
  };

  it.each([
    ['11.00001', 'priceFarOff'],
    ['5500', 'priceFarOff'],
    ['0.10999', 'priceFarOff'],
    ['11', undefined],
    ['0.11', undefined],
    ['0', 'priceNotPositive'],
  ])('takes a pending target of %s at a price of 1.1 for: %s', (targetPrice, key) => {
    const problem = (change: Partial<typeof context>) =>
      previewOf(
        { ...TICKET, lots: '0.01', type: 'pending', targetPrice },
        { ...context, ...change },
      ).problem;
    expect(problem({})).toEqual(key && { field: 'targetPrice', message: { key } });
    // Also before anything is known of the account.
    expect(problem({ snapshot: undefined })?.message.key).toBe(key);
    // Where nothing can be ordered, that is the problem.
    expect(problem({ marketOpen: false })?.message.key).toBe('marketClosed');
  });

  it('has the figures that an incomplete ticket allows', () => {
    expect(previewOf({ ...TICKET, lots: '' }, context)).toEqual({
      price: '1.1',
      exitReference: '1.1',
      atQuote: false,
      margin: undefined,
      fee: undefined,
      units: undefined,
      value: undefined,
      pointValue: undefined,
      availableAfter: undefined,
      maxLots: '0.9',
      stopOutPrice: undefined,
      risk: undefined,
      riskPercent: undefined,
      rewardToRisk: undefined,
      lotsAtRisk: undefined,
      problem: { field: 'lots', message: { key: 'lotsRequired' } },
    });
    expect(previewOf({ ...TICKET, leverage: '' }, context)).toMatchObject({
      price: '1.1',
      pointValue: '1',
      margin: undefined,
      maxLots: undefined,
      problem: { field: 'leverage' },
    });
    expect(previewOf({ ...TICKET, type: 'pending' }, context)).toMatchObject({
      price: undefined,
      margin: undefined,
      problem: { field: 'targetPrice', message: { key: 'priceRequired' } },
    });
  });

  it('says what a stop-loss risks, and the lots that risk 1 % of the net value', () => {
    const stopped = { ...TICKET, lots: '0.05', stopLoss: '1.098', takeProfit: '1.105' };
    expect(previewOf(stopped, context)).toMatchObject({
      risk: '10',
      riskPercent: '1',
      rewardToRisk: '2.5',
      lotsAtRisk: '0.05',
    });
    expect(previewOf({ ...stopped, lots: '' }, context)).toMatchObject({
      risk: undefined,
      lotsAtRisk: '0.05',
    });
    // Margin in use is not lost; a floating loss is.
    const used = {
      ...context.snapshot,
      balance: usd('900'),
      marginInUse: usd('1300'),
      profit: usd('-200'),
    };
    expect(previewOf(stopped, { ...context, snapshot: used })).toMatchObject({
      riskPercent: '0.5',
      lotsAtRisk: '0.1',
    });
    // A visitor has no balance; a stop on the wrong side risks nothing.
    expect(previewOf(stopped, { ...context, snapshot: undefined })).toMatchObject({
      risk: '10',
      riskPercent: undefined,
      rewardToRisk: '2.5',
      lotsAtRisk: undefined,
    });
    expect(previewOf({ ...stopped, side: 'sell' }, context)).toMatchObject({
      risk: undefined,
      rewardToRisk: undefined,
      lotsAtRisk: undefined,
    });
  });

  it('has no balance for a visitor, and no fee before the server sends its type', () => {
    expect(previewOf(TICKET, { ...context, snapshot: undefined })).toMatchObject({
      margin: '1100',
      fee: '7',
      maxLots: undefined,
      availableAfter: undefined,
      problem: undefined,
    });
    expect(previewOf(TICKET, { ...context, feeType: undefined })).toMatchObject({
      margin: '1100',
      fee: undefined,
      maxLots: undefined,
      problem: undefined,
    });
  });

  it.each([
    ['marketClosed', { marketOpen: false }],
    ['noPrice', { price: undefined }],
    ['noPrice', { instrument: undefined }],
    ['noLeverage', { instrument: instrument({ leverages: [] }) }],
  ])('is of an instrument that cannot be traded: %s', (key, change) => {
    expect(previewOf(TICKET, { ...context, ...change }).problem).toEqual({
      field: 'instrument',
      message: { key },
    });
  });

  it('is of an order too many', () => {
    expect(previewOf(TICKET, { ...context, openOrders: 200 }).problem).toEqual({
      field: 'orders',
      message: { key: 'tooManyOrders', params: { max: 200 } },
    });
  });

  it('handles any typed values', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.constantFrom('0', '-1', '1e5', '00.10', '.5', '9'.repeat(39)),
    );
    fc.assert(
      fc.property(
        fc.record({
          lots: texts,
          leverage: texts,
          targetPrice: texts,
          stopLoss: texts,
          takeProfit: texts,
          deviation: texts,
        }),
        fc.constantFrom('market' as const, 'pending' as const),
        (typed, type) => {
          const preview = previewOf({ ...TICKET, ...typed, type }, context);
          for (const text of Object.values(preview)) {
            if (typeof text === 'string') expect(text).toMatch(/^-?\d+(\.\d+)?$/);
          }
        },
      ),
      { seed, numRuns: 500 },
    );
  });
});

const ROWS = [instrumentRow(1, 'EURUSD'), instrumentRow(2, 'NZDUSD')];

const previews = ({ shown }: TestWorker) => shown.frames.flatMap(({ ticket }) => ticket ?? []);

describe('the open ticket', () => {
  it('is previewed immediately, and with each tick of its instrument', async () => {
    const { worker, testServer } = await loggedInWorker(ROWS);
    worker.workerApi.setTicket(TICKET);
    await worker.clock.advance(100);
    expect(worker.shown.ticket).toEqual({
      price: '1.1',
      exitReference: '1.1',
      atQuote: false,
      margin: '1100',
      fee: '5',
      units: '100000',
      value: '110000',
      pointValue: '1',
      availableAfter: '98895',
      maxLots: '90.49',
      stopOutPrice: '0.10225',
      risk: undefined,
      riskPercent: undefined,
      rewardToRisk: undefined,
      lotsAtRisk: undefined,
      problem: undefined,
    });
    testServer.tick(1, '1.23457');
    await worker.clock.advance(100);
    expect(worker.shown.ticket).toMatchObject({ price: '1.23457', margin: '1234.57' });
    const { length } = previews(worker);
    testServer.tick(2, '1.3');
    await worker.clock.advance(1000);
    expect(previews(worker)).toHaveLength(length);
  });

  it('of a pending order is priced at its target, but its problems follow the price', async () => {
    const { worker, testServer } = await loggedInWorker(ROWS);
    worker.workerApi.setTicket({ ...TICKET, type: 'pending', targetPrice: '1.05', stopLoss: '1' });
    await worker.clock.advance(100);
    expect(worker.shown.ticket).toMatchObject({ price: '1.05', margin: '1050' });
    worker.workerApi.setTicket({ ...TICKET, stopLoss: '1.15' });
    await worker.clock.advance(100);
    expect(worker.shown.ticket?.problem).toMatchObject({ field: 'stopLoss' });
    testServer.tick(1, '1.2');
    await worker.clock.advance(100);
    expect(worker.shown.ticket?.problem).toBeUndefined();
  });

  it('follows orders, balances and the market’s hours', async () => {
    const { worker, testServer } = await loggedInWorker(ROWS);
    worker.workerApi.setTicket(TICKET);
    await worker.clock.advance(100);
    testServer.open({ forex_id: '2', status: '1', cont: '50' });
    await worker.clock.advance(1000);
    expect(worker.shown.ticket?.maxLots).toBe('40.49');
    testServer.prices.set(1, '1.1');
    worker.sockets.last.receive({
      type: 'DAY_MARKET',
      data: { Id: 1, Code: 'EURUSD', Close: '1.1', Time: 5, MarketStatus: 0 },
    });
    await worker.clock.advance(100);
    expect(worker.shown.ticket?.problem).toEqual({
      field: 'instrument',
      message: { key: 'marketClosed' },
    });
  });

  it('counts the open orders', async () => {
    const { worker, testServer } = await loggedInWorker(ROWS);
    worker.workerApi.setTicket(TICKET);
    for (let i = 0; i < 199; i++) testServer.open({ forex_id: '2', status: '1', cont: '0.01' });
    await worker.clock.advance(1000);
    expect(worker.shown.ticket?.problem).toBeUndefined();
    testServer.open({ forex_id: '2', status: '0', cont: '0.01', target_price: '1.5' });
    await worker.clock.advance(1000);
    expect(worker.shown.ticket?.problem?.message.key).toBe('tooManyOrders');
  });

  it('is sent again to a form that is opened again, and to none that is closed', async () => {
    const { worker, testServer } = await loggedInWorker(ROWS);
    worker.workerApi.setTicket(TICKET);
    await worker.clock.advance(100);
    worker.workerApi.setTicket(undefined);
    testServer.tick(1, '1.2');
    testServer.tick(1, '1.1');
    await worker.clock.advance(100);
    expect(previews(worker)).toHaveLength(1);
    worker.workerApi.setTicket(TICKET);
    await worker.clock.advance(100);
    expect(previews(worker)).toHaveLength(2);
  });

  it('follows an instrument out of sight, and another instrument of the form', async () => {
    const { worker, testServer } = await loggedInWorker(ROWS);
    worker.workerApi.setDataSaver(true);
    worker.workerApi.setTicket(TICKET);
    await worker.clock.advance(1000);
    expect(worker.sockets.last.asked.at(-1)).toMatchObject({
      topic: 'DAY_MARKET',
      codes: ['EURUSD'],
    });
    worker.workerApi.setTicket({ ...TICKET, instrumentId: 2 });
    await worker.clock.advance(10_000);
    expect(worker.sockets.last.asked.at(-1)).toMatchObject({ codes: ['NZDUSD'] });
    const { length } = previews(worker);
    testServer.tick(1, '1.4');
    await worker.clock.advance(100);
    expect(previews(worker)).toHaveLength(length);
    testServer.tick(2, '1.4');
    await worker.clock.advance(100);
    expect(worker.shown.ticket?.price).toBe('1.4');
  });

  it("loads the broker's fee type, with retries", async () => {
    const { worker, testServer } = await loggedInWorker(ROWS);
    const path = '/api/basicSet/getBasicInfo';
    const route = worker.server.routes.get(path);
    worker.server.on(path, () => ({ status: 502 }));
    testServer.feeType = 'rate';
    worker.workerApi.setTicket(TICKET);
    await worker.clock.advance(1000);
    expect(worker.shown.ticket).toMatchObject({ margin: '1100', fee: undefined });
    if (route) worker.server.on(path, route);
    await worker.clock.advance(15_000);
    expect(worker.shown.ticket).toMatchObject({ margin: '1100', fee: '5500' });
    expect(worker.shown.events).toEqual([]);
  });

  it('loads the fee type again after a loss of the connection', async () => {
    const { worker, testServer } = await loggedInWorker(ROWS);
    worker.workerApi.setTicket(TICKET);
    await worker.clock.advance(100);
    expect(worker.shown.ticket?.fee).toBe('5');
    testServer.feeType = 'rate';
    testServer.drop();
    await worker.clock.advance(2000);
    expect(worker.shown.ticket?.fee).toBe('5500');
  });

  it('is priced at bid or ask where the server fills at them, and follows them', async () => {
    const { worker, testServer } = await loggedInWorker(ROWS);
    testServer.quoteFill = 1;
    worker.workerApi.setTicket(TICKET);
    testServer.tick(1, '1.1', { Bid: '1.0999', Ask: '1.1002' });
    await worker.clock.advance(100);
    expect(worker.shown.ticket).toMatchObject({
      price: '1.1002',
      exitReference: '1.1',
      atQuote: true,
      margin: '1100.2',
      // Margin and fee, and the way from the ask to the latest price.
      availableAfter: '98874.8',
    });
    testServer.tick(1, '1.1', { Bid: '1.0999', Ask: '1.1004' });
    await worker.clock.advance(100);
    expect(worker.shown.ticket).toMatchObject({ price: '1.1004' });
    worker.workerApi.setTicket({ ...TICKET, side: 'sell' });
    await worker.clock.advance(100);
    expect(worker.shown.ticket).toMatchObject({ price: '1.0999' });
    worker.workerApi.setTicket({ ...TICKET, type: 'pending', targetPrice: '1.05' });
    await worker.clock.advance(100);
    expect(worker.shown.ticket).toMatchObject({
      price: '1.05',
      exitReference: '1.05',
      atQuote: false,
    });
    // What its user saw is the price of its side.
    await Promise.all([
      worker.workerApi.submit(TICKET, 'a-key-of-an-order'),
      worker.clock.advance(100),
    ]);
    expect(worker.server.to('/v1/api/forex/submit').at(-1)?.params['target_price']).toBe('1.1004');
  });

  it('tells what closing an order would book at bid or ask', async () => {
    const { worker, testServer } = await loggedInWorker(ROWS);
    testServer.quoteFill = 1;
    testServer.open({ forex_id: '1', status: '1', cont: '1' });
    await worker.clock.advance(1000);
    testServer.tick(1, '1.1', { Bid: '1.0999', Ask: '1.1002' });
    worker.workerApi.watchOrders({ add: [1], remove: [] });
    worker.workerApi.watchTopsOfBook({ add: [1], remove: [] }, 'both');
    await worker.clock.advance(1000);
    testServer.tick(1, '1.1', { Bid: '1.0998', Ask: '1.1002' });
    await worker.clock.advance(1000);
    expect(worker.shown.profits.get(1)).toEqual({
      id: 1,
      profit: '0.000000',
      price: 1.1,
      closingPrice: 1.0998,
    });
    // The reversal: closed at the bid, which is where the opposite order opens too.
    worker.workerApi.setChange({ id: 1 });
    await worker.clock.advance(1000);
    expect(worker.shown.change).toMatchObject({
      price: '1.0998',
      margin: '1099.8',
      availableAfter: '98850.2',
    });
  });

  it('is priced, valued and judged at bid and ask where the server does that', async () => {
    const { worker, testServer } = await loggedInWorker(ROWS);
    testServer.quoteFill = 2;
    worker.workerApi.setTicket(TICKET);
    testServer.tick(1, '1.1', { Bid: '1.0999', Ask: '1.1002' });
    await worker.clock.advance(100);
    expect(worker.shown.ticket).toMatchObject({
      ...{ price: '1.1002', exitReference: '1.0999', atQuote: true },
      // Margin and fee, and the way from the ask to the bid.
      availableAfter: '98864.8',
    });
    worker.workerApi.setTicket({ ...TICKET, type: 'pending', targetPrice: '1.1002' });
    await worker.clock.advance(100);
    expect(worker.shown.ticket).toMatchObject({ price: '1.1002', availableAfter: '98864.8' });

    testServer.open({ forex_id: '1', status: '1', cont: '1' });
    worker.workerApi.watchOrders({ add: [1], remove: [] });
    await worker.clock.advance(1000);
    testServer.tick(1, '1.1', { Bid: '1.0998', Ask: '1.1002' });
    await worker.clock.advance(1000);
    expect(worker.shown.profits.get(1)).toEqual({
      ...{ id: 1, profit: '-20.000000', price: 1.0998, closingPrice: 1.0998 },
    });
    // Only a bid.
    testServer.tick(1, '1.1', { Bid: '1.0997', Ask: '0' });
    worker.workerApi.setTicket(TICKET);
    await worker.clock.advance(1000);
    expect(worker.shown.ticket).toMatchObject({ price: '1.1', exitReference: '1.0997' });
  });

  it('of a bid above the ask says that nothing is traded', async () => {
    const { worker, testServer } = await loggedInWorker(ROWS);
    testServer.quoteFill = 2;
    worker.workerApi.setTicket(TICKET);
    testServer.tick(1, '1.1', { Bid: '1.1003', Ask: '1.1002' });
    await worker.clock.advance(100);
    const problem = { field: 'instrument', message: { key: 'bookCrossed' } };
    expect(worker.shown.ticket).toMatchObject({ problem });
    worker.workerApi.setTicket({ ...TICKET, type: 'pending', targetPrice: '1.05' });
    await worker.clock.advance(100);
    expect(worker.shown.ticket?.problem).toBeUndefined();
  });

  it('works before the list is loaded', async () => {
    const worker = createTestWorker(ROWS);
    new TestServer(worker, ROWS);
    worker.workerApi.setTicket(TICKET);
    worker.start();
    await worker.clock.advance(1000);
    expect(worker.shown.ticket).toMatchObject({ price: '1.1', margin: '1100', fee: '5' });
  });
});
