import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  add,
  compare,
  type Decimal,
  decimal,
  isZero,
  maximum,
  minimum,
  multiply,
  negate,
  quotient,
  quotientDown,
  sign,
  subtract,
  toFixed,
  toNumber,
  toText,
  unitsOf,
  ZERO,
} from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import {
  type Lots,
  type Price,
  toCurrencyAmount,
  toLots,
  toPrice,
  toUsd,
  type Usd,
} from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { TopOfBook } from '#domain/market/topOfBook';
import { dailyProfit, redeemed, totalProfit } from '#domain/mining/mining';
import { exitFromPrice } from '#domain/trading/exits';
import { fillPrice, OPPOSITE, type QuoteFill } from '#domain/trading/fill';
import { splitOrder } from '#domain/trading/margin';
import type { Order, Side } from '#domain/trading/order';
import { netResult, PROFIT_SCALE, profit } from '#domain/trading/profit';
import { partProblem, partsOf } from '#domain/trading/rules';
import { midnightsBetween, swapAt } from '#domain/trading/swap';
import type { TicketInput } from '#domain/trading/ticketInput';
import { followedStop } from '#domain/trading/triggers';
import { credit } from '#domain/wallet/deposit';
import { statementBalance } from '#domain/wallet/statement';
import { MONEY_TYPES, type WithdrawFeeType } from '#domain/wallet/wallet';
import { largestWithdrawal, previewWithdrawal } from '#domain/wallet/withdraw';
import type { Exits, TicketPreview } from '#domain/worker/trading';
import { type Client, type Movement, movements } from './client';

/** What ends a position, or changes it. */
const ENDS = [
  'close',
  'parts',
  'reversal',
  'stop-loss',
  'take-profit',
  'trailing stop',
  'nights',
  'stays',
] as const;
/** What becomes of a pending order. */
const OUTCOMES = ['cancel', 'fill', 'amendment', 'waits'] as const;
const OTHERS = [
  'close all',
  'deposit',
  'withdrawal at a fixed fee',
  'withdrawal at a rate',
  'fund',
] as const;

/** Everything that has a preview. */
export const OPERATIONS = [...ENDS, ...OUTCOMES, ...OTHERS] as const;
type Operation = (typeof OPERATIONS)[number];

const distance = fc.integer({ min: 1, max: 200 });

/** How something is done; its numbers become prices, lots and amounts that suit the market and the account of that time. */
export const wishes = fc.record({
  on: fc.nat(1000),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  /** Of the first price of an instrument. */
  digits: fc.integer({ min: 1_000, max: 99_999_999 }),
  /** From a price to the next one: hundred-thousandths of it, as all distances. */
  moves: fc.array(fc.integer({ min: -200, max: 200 }), { minLength: 3, maxLength: 3 }),
  /** From the price to bid, ask and the stops; the target may be on either side. */
  below: distance,
  above: distance,
  loss: distance,
  gain: distance,
  target: fc.integer({ min: -200, max: 200 }),
  leverage: fc.nat(4),
  /** Thousandths of the largest affordable order. */
  share: fc.integer({ min: 1, max: 250 }),
  /** Which parts are closed, one after the other: an index of those that are offered, or steps of the lots. */
  parts: fc.array(
    fc.record({
      offered: fc.boolean(),
      index: fc.nat(2),
      thousandths: fc.integer({ min: 1, max: 999 }),
    }),
    { minLength: 2, maxLength: 4 },
  ),
  /** Of the wallet. */
  cents: fc.integer({ min: 1_000, max: 999_999 }),
  choice: fc.nat(1000),
});
export type Wish = typeof wishes extends fc.Arbitrary<infer T> ? T : never;

/** Cents. */
const AT_FIRST = 9_999_937;
const FOR_A_REVIEW = 31_000;
const SETTLED_WITHIN = 2_000;
const HOUR = 3_600_000;
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const text = (value: Decimal | undefined) => value && toText(value);
const two = (value: Decimal) => toFixed(value, 2);

/** A price at which the smallest order is cheap, and a move of it no catastrophe. */
function firstPrice(instrument: Instrument, digits: number): Price {
  const { precision, lotStep, unitsPerLot, leverages, marginMode } = instrument;
  const leverage = Math.max(...leverages.map(toNumber));
  const dear = (200 * leverage) / (toNumber(lotStep) * toNumber(unitsPerLot));
  const most = (marginMode === 'fixed' ? 20 : dear) * 10 ** precision;
  return toPrice(decimal(BigInt(Math.max(1, Math.floor(digits % most))), precision));
}

/** Does what a user does, and compares what was previewed with what was booked. */
export class PreviewComparison {
  readonly happened = new Map<string, number>();
  private readonly client: Client;
  private readonly quoteFill: QuoteFill;
  private readonly prices = new Map<number, Price>();
  /** Where bid and ask come with each tick: their distances from its price. */
  private readonly spreads = new Map<number, Pick<Wish, 'below' | 'above'>>();
  private pictures = 100;

  private constructor(client: Client, quoteFill: QuoteFill) {
    this.client = client;
    this.quoteFill = quoteFill;
  }

  /** With some money. */
  static async begin(client: Client, quoteFill: QuoteFill): Promise<PreviewComparison> {
    const comparison = new PreviewComparison(client, quoteFill);
    // In euros and in Bitcoin.
    for (const choice of [2, 7]) await comparison.deposit(AT_FIRST, choice);
    return comparison;
  }

  /** Does one thing; returns whether it happened: the market or the account may not allow it. */
  async run(operation: Operation, wish: Wish): Promise<boolean> {
    const before = this.happened.get(operation) ?? 0;
    await this.perform(operation, wish);
    return (this.happened.get(operation) ?? 0) > before;
  }

  private async perform(operation: Operation, wish: Wish): Promise<void> {
    switch (operation) {
      case 'deposit':
        return this.deposit(wish.cents, wish.choice);
      case 'withdrawal at a fixed fee':
        return this.withdraw(wish, 'fixed');
      case 'withdrawal at a rate':
        return this.withdraw(wish, 'rate');
      case 'fund':
        return this.subscribe(wish);
      case 'close all':
        return this.closeAll();
      case 'cancel':
      case 'fill':
      case 'amendment':
      case 'waits':
        return this.pending(wish, operation);
      default:
        return this.position(wish, operation);
    }
  }

  /** Everything that was booked adds up to what the account has. */
  async end(): Promise<void> {
    const { client } = this;
    await this.closeAll();
    const period = { from: toUnixMs(0), until: toUnixMs(Date.UTC(2100, 0)) };
    for (;;) {
      const { complete, statement, parts } = await client.done(client.workerApi.statement(period));
      if (!complete) continue;
      const { all_fact_profits, all_trade_fee, all_swap } = await client.page(3);
      expect(statement && [toText(statement.opening), toText(statement.closing)]).toEqual([
        '0',
        text(parts && statementBalance(parts)),
      ]);
      expect(text(statement?.totals.net)).toBe(
        toText(
          add(subtract(toUsd(all_fact_profits), toUsd(all_trade_fee ?? '')), toUsd(all_swap ?? '')),
        ),
      );
      return;
    }
  }

  private count(name: string): void {
    this.happened.set(name, (this.happened.get(name) ?? 0) + 1);
  }

  /** The instrument of a wish as the page has it, with a price near the last one, and a book around it. */
  private async priced({ on, digits, moves, below, above }: Wish): Promise<Instrument> {
    const { client } = this;
    const { instruments } = client.server.market;
    const instrument = instruments[on % instruments.length] as Instrument;
    const { id, code } = instrument;
    if (!this.prices.has(id)) this.prices.set(id, firstPrice(instrument, digits));
    const now = this.away(instrument, moves[0]);
    this.prices.set(id, now);
    if (this.quoteFill === 2) this.spreads.set(id, { below, above });
    else client.server.market.topOfBook(id, this.bookOf(instrument, { below, above }));
    await this.tick(instrument, now);
    return client.workerApi.row(code)?.instrument ?? expect.fail(`no row of ${code}`);
  }

  private price(id: number): Price {
    return this.prices.get(id) ?? expect.fail('never traded');
  }

  /** The price so many hundred-thousandths away, at least a point. */
  private away({ id, precision }: Instrument, distance = 0, now = this.price(id)): Price {
    const point = toPrice(decimal(1n, precision));
    const by = toPrice(quotient(multiply(now, decimal(distance)), decimal(100_000), precision));
    const least = distance < 0 ? negate(point) : distance > 0 ? point : ZERO;
    return maximum(add(now, isZero(by) ? least : by), point);
  }

  private bookOf(
    instrument: Instrument,
    { below, above }: Pick<Wish, 'below' | 'above'>,
  ): TopOfBook {
    const [bid, ask] = [this.away(instrument, -below), this.away(instrument, above)];
    return { bid: toNumber(bid), ask: toNumber(ask) };
  }

  /** What an order of this side would be filled at, where bid and ask decide what it is judged by; the latest price otherwise. */
  private judged(instrument: Instrument, side: Side): Price {
    const spread = this.spreads.get(instrument.id);
    const price = this.price(instrument.id);
    return fillPrice(side, price, spread && this.bookOf(instrument, spread));
  }

  private move(instrument: Instrument, by: number | undefined): Promise<void> {
    return this.tick(instrument, this.away(instrument, by));
  }

  private async tick(instrument: Instrument, price: Price): Promise<void> {
    const { id } = instrument;
    this.prices.set(id, price);
    const spread = this.spreads.get(id);
    await this.client.tick(id, price, spread && this.bookOf(instrument, spread));
  }

  /** Both sides are at the price: it triggers and fills orders of both. */
  private async trigger({ id }: Instrument, price: Price): Promise<void> {
    this.prices.set(id, price);
    this.spreads.delete(id);
    const at = toNumber(price);
    await this.client.tick(id, price, this.quoteFill === 2 ? { bid: at, ask: at } : undefined);
  }

  /** A ticket for a share of what can be afforded; undefined where nothing can. */
  private async ticket(
    wish: Wish,
    instrument: Instrument,
    change: Partial<TicketInput> = {},
  ): Promise<{ input: TicketInput; preview: TicketPreview } | undefined> {
    const { client } = this;
    const leverage = instrument.leverages[wish.leverage % instrument.leverages.length];
    const input: TicketInput = {
      instrumentId: instrument.id,
      side: wish.side,
      type: 'market',
      lots: toText(instrument.minLots),
      leverage: leverage && instrument.marginMode === 'leveraged' ? toText(leverage) : '',
      targetPrice: '',
      stopLoss: '',
      takeProfit: '',
      trailing: '',
      deviation: '',
      ...change,
    };
    const smallest = await client.preview(input);
    const most = toLots(smallest.maxLots ?? expect.fail('no largest order'));
    const steps = unitsOf(quotientDown(most, instrument.lotStep, 0));
    if (steps === 0n) {
      await this.closeAll();
      return undefined;
    }
    // Two halves, where there are two steps.
    const half = (steps * BigInt(wish.share) + 1999n) / 2000n;
    const lots = toText(multiply(instrument.lotStep, decimal(steps > 1n ? 2n * half : 1n)));
    const preview = await client.preview({ ...input, lots });
    const seen = input.type === 'market' ? (preview.price ?? '') : input.targetPrice;
    // It is filled at the price seen, or refused.
    const exact = input.type === 'market' ? { targetPrice: seen, deviation: '0' } : {};
    if (preview.problem) {
      // So little that its margin rounds to nothing, or so many orders.
      expect(['marginTooSmall', 'tooManyOrders']).toContain(preview.problem.message.key);
      if (preview.problem.field === 'orders') await this.closeAll();
      return undefined;
    }
    return { input: { ...input, ...exact, lots }, preview };
  }

  /** Sends a ticket, and compares its order and the account with its preview. */
  private async place(
    { input, preview }: { input: TicketInput; preview: TicketPreview },
    waits = false,
  ): Promise<Order> {
    const { client } = this;
    await client.booked();
    const { data: order } = await client.done(client.workerApi.submit(input, randomUUID()));
    if (!order) throw new Error('no order');
    const { margin = '', fee = '', availableAfter = '', price = '' } = preview;
    expect(await client.booked()).toEqual(
      movements(['frozen', negate(toUsd(margin))], waits ? undefined : ['fee', negate(toUsd(fee))]),
    );
    const row = await client.row(waits ? 0 : 1, order.id);
    expect([row.CautionMoney, row.TradeFee, waits ? row.OriginPrice : row.Price]).toEqual([
      two(toUsd(margin)),
      two(toUsd(fee)),
      toFixed(toPrice(price), order.precision),
    ]);
    const { available } = await client.settled();
    expect(available).toBe(availableAfter);
    this.count(input.type === 'market' ? 'market order' : 'pending order');
    return order;
  }

  private async position(wish: Wish, end: (typeof ENDS)[number]): Promise<void> {
    const { client } = this;
    const instrument = await this.priced(wish);
    const exits = this.exitsOf(wish, instrument);
    const byTicket = end === 'stop-loss' || end === 'take-profit' ? exits : undefined;
    const ticket = await this.ticket(wish, instrument, { ...byTicket });
    if (!ticket) return;
    const { id } = await this.place(ticket);
    if (byTicket) return this.stopped(id, ticket, instrument, end as 'stop-loss' | 'take-profit');
    await this.move(instrument, wish.moves[1]);
    const order = client.order(id);
    // Stopped out.
    if (!order) return;
    if (end === 'close') await this.close(order, instrument);
    else if (end === 'parts') await this.closeParts(wish, order, instrument);
    else if (end === 'reversal') await this.reverse(order, instrument);
    else if (end === 'trailing stop') await this.trail(wish, order, instrument);
    else if (end === 'nights') await this.hold(wish, order, instrument);
    if (end === 'stays') this.count(end);
  }

  /** What nights are said to cost is what they are charged, and a part of what the close comes to. */
  private async hold({ choice }: Wish, order: Order, instrument: Instrument): Promise<void> {
    const { client } = this;
    const { market } = client.server;
    const listed = await client.api('market.instrumentList', { searchCurrency: instrument.code });
    const {
      SwapLong,
      SwapShort,
      SwapTriple: triple,
    } = listed.find(({ Id }) => Id === instrument.id) ?? expect.fail('not listed');
    if (!SwapLong || !SwapShort) throw new Error('no swap');
    const terms = { long: toUsd(SwapLong), short: toUsd(SwapShort), triple };
    await client.booked();
    const since = market.now();
    market.pass(((choice % 50) + 24) * HOUR);
    await client.pass(SETTLED_WITHIN);
    const nights = midnightsBetween(since, market.now());
    expect(nights.length).toBeGreaterThan(0);
    const costs = nights.map((night) => swapAt(terms, order.side, order.lots, night));
    expect(await client.booked(order.id)).toEqual(
      movements(...costs.map((cost) => ['swap', cost] as const)),
    );
    await client.settled();
    const held = client.order(order.id) ?? expect.fail('not held');
    expect(toText(held.swap)).toBe(toText(costs.reduce<Usd>((sum, cost) => add(sum, cost), ZERO)));
    await this.close(held, instrument);
    this.count('nights');
  }

  /** Stops on the right side of the price; none where it cannot be lower. */
  private exitsOf({ side, loss, gain }: Wish, instrument: Instrument) {
    const from = this.judged(instrument, OPPOSITE[side]);
    const stop = (distance: number) => {
      const at = this.away(instrument, side === 'buy' ? distance : -distance, from);
      return compare(at, from) === 0 ? '' : toText(at);
    };
    return { stopLoss: stop(-loss), takeProfit: stop(gain) };
  }

  /** What the form says of a stop is what its trigger books. */
  private async stopped(
    id: number,
    { input, preview }: { input: TicketInput; preview: TicketPreview },
    instrument: Instrument,
    end: 'stop-loss' | 'take-profit',
  ): Promise<void> {
    const { client } = this;
    const { unitsPerLot, precision } = instrument;
    const at = end === 'stop-loss' ? input.stopLoss : input.takeProfit;
    if (at === '') return;
    const { margin = '', fee = '', price = '', risk, rewardToRisk } = preview;
    const position = {
      side: input.side,
      lots: toLots(input.lots),
      unitsPerLot,
      price: toPrice(price),
      margin: toUsd(margin),
      precision,
    };
    const forms = exitFromPrice(position, toPrice(at));
    await client.booked();
    await this.trigger(instrument, toPrice(at));
    const booked = await this.endOf(id);
    const row = await client.row(3, id);
    if (row.CloseReason === 'stop_out') return;
    expect(row).toMatchObject({
      CloseReason: end.replace('-', '_'),
      FactProfits: toFixed(forms.profit, PROFIT_SCALE),
      CautionMoney: two(toUsd(margin)),
      TradeFee: two(toUsd(fee)),
    });
    expect(booked).toEqual(movements(['released', toUsd(margin)], ['profit', forms.profit]));
    const won = toUsd(row.FactProfits);
    if (end === 'stop-loss') expect(text(sign(won) < 0 ? negate(won) : undefined)).toBe(risk);
    else if (risk && sign(won) > 0) expect(text(quotient(won, toUsd(risk), 2))).toBe(rewardToRisk);
    this.count(end);
  }

  /** What closing these lots of an order would come to, as the sheet says it. */
  private async sheet(order: Order, { unitsPerLot }: Instrument, lots: Lots = order.lots) {
    const live = await this.client.profit(order);
    const price = toPrice(live.closingPrice ?? live.price);
    const { part, rest } = splitOrder(order, lots);
    const closed = { ...part, profit: profit({ ...part, unitsPerLot }, price) };
    if (live.closingPrice === undefined && compare(lots, order.lots) === 0)
      expect(live.profit).toBe(toFixed(closed.profit, PROFIT_SCALE));
    return { closed, rest, price };
  }

  /** What the end of an order has moved; what the account could not bear is lifted besides. */
  private async endOf(id: number): Promise<Movement[]> {
    return (await this.client.booked(id)).filter(([kind]) => kind !== 'lifted');
  }

  /** The order that was closed is as the sheet has said, and so are the movements of the balance. */
  private async ended(
    id: number,
    { closed, price }: Awaited<ReturnType<PreviewComparison['sheet']>>,
  ) {
    const { client } = this;
    expect(await this.endOf(id)).toEqual(
      movements(['released', closed.margin], ['profit', closed.profit]),
    );
    const { orders } = await client.done(client.workerApi.orders('closed', 0, 20));
    const found = orders.find((order) => order.id === id) ?? expect.fail(`${id} is not closed`);
    const essence = (order: Order) =>
      [order.lots, order.margin, order.fee, order.swap, order.profit].map(toText);
    expect(essence(found)).toEqual(essence(closed));
    expect([found.updatePrice, netResult(found)].map(toText)).toEqual(
      [price, netResult(closed)].map(toText),
    );
    return found;
  }

  private async close(order: Order, instrument: Instrument): Promise<void> {
    const { client } = this;
    const sheet = await this.sheet(order, instrument);
    await client.booked();
    await client.done(client.workerApi.closeOrder(order, randomUUID()));
    await this.ended(order.id, sheet);
    await client.settled();
    this.count('close');
  }

  /** The parts and what remains are what was previewed, and add up to the order. */
  private async closeParts(wish: Wish, whole: Order, instrument: Instrument): Promise<void> {
    const { client } = this;
    const sum = { margin: toUsd(0), fee: toUsd(0), lots: toLots(0) };
    let order = whole;
    for (const [index, { offered, index: which, thousandths }] of wish.parts.entries()) {
      const offers = partsOf(order, instrument);
      const { lotStep } = instrument;
      const some = multiply(
        lotStep,
        quotientDown(multiply(order.lots, decimal(thousandths, 3)), lotStep, 0),
      );
      // The first is a half: where the cents are odd, one of them has the odd cent.
      const chosen = index === 0 ? offers.find(({ percent }) => percent === 50) : offers[which];
      const lots = offered || index === 0 ? chosen?.lots : some;
      if (!lots || partProblem(lots, order, instrument)) break;
      const sheet = await this.sheet(order, instrument, lots);
      await client.booked();
      const { id } = order;
      const { data } = await client.done(
        client.workerApi.closePart(order, toText(lots), randomUUID()),
      );
      await client.settled();
      const { orders } = await client.done(client.workerApi.orders('closed', 0, 1));
      const part = orders[0] ?? expect.fail('no part');
      await this.ended(part.id, sheet);
      const rest = client.order(id) ?? expect.fail('nothing remains');
      const essence = ({ lots, margin, fee }: typeof sheet.rest) => [lots, margin, fee].map(toText);
      expect(essence(rest)).toEqual(essence(sheet.rest));
      expect(data && essence(data)).toEqual(essence(sheet.rest));
      sum.margin = add(sum.margin, part.margin);
      sum.fee = add(sum.fee, part.fee);
      sum.lots = add(sum.lots, part.lots);
      // Halves of odd cents: shares that are rounded each by itself would not add up.
      if (unitsOf(whole.margin, 2) % 2n === 1n) this.count('parts');
      await this.move(instrument, wish.moves[1 + (index % 2)]);
      const left = client.order(id);
      if (!left) return;
      order = left;
    }
    await this.close(order, instrument);
    expect(
      [add(sum.lots, order.lots), add(sum.margin, order.margin), add(sum.fee, order.fee)].map(
        toText,
      ),
    ).toEqual([whole.lots, whole.margin, whole.fee].map(toText));
  }

  private async reverse(order: Order, instrument: Instrument): Promise<void> {
    const { client } = this;
    const sheet = await this.sheet(order, instrument);
    const preview = await client.reversalPreview(order.id);
    client.workerApi.setChange(undefined);
    if (preview.problem) {
      expect(preview.problem.message.key).toBe('availableTooLow');
      return this.close(order, instrument);
    }
    await client.booked();
    const keys = { close: randomUUID(), open: randomUUID() };
    const { closed, opened } = await client.done(
      client.workerApi.reverseOrder(order, preview.price ?? '', keys),
    );
    if (!opened || opened === 'unread') throw new Error('nothing was opened');
    const { margin = '', fee = '', price = '', availableAfter } = preview;
    expect(await client.booked()).toEqual(
      movements(
        ['released', sheet.closed.margin],
        ['profit', sheet.closed.profit],
        ['frozen', negate(toUsd(margin))],
        ['fee', negate(toUsd(fee))],
      ),
    );
    expect(
      [closed.profit, netResult(closed), opened.margin, opened.fee, opened.price].map(toText),
    ).toEqual(
      [sheet.closed.profit, netResult(sheet.closed), toUsd(margin), toUsd(fee), toPrice(price)].map(
        toText,
      ),
    );
    expect((await client.settled()).available).toBe(availableAfter);
    this.count('reversal');
  }

  /** Another target and twice the lots book what was previewed, or nothing where they are refused. */
  private async amend(wish: Wish, order: Order, instrument: Instrument): Promise<boolean> {
    const { client } = this;
    const target = this.away(instrument, -wish.target);
    const terms = {
      lots: toText(add(order.lots, order.lots)),
      targetPrice: toText(target),
      ...{ stopLoss: '', takeProfit: '', trailing: '' },
    };
    const preview = await client.amendmentPreview(order.id, terms);
    const { margin = '', fee = '', availableAfter, problem } = preview;
    const call = client.workerApi.amendOrder(order.id, terms, randomUUID());
    if (problem) {
      expect(await call).toMatchObject({ ok: false });
      expect(await client.booked()).toEqual([]);
      return false;
    }
    const { data } = await client.done(call);
    const more = subtract(toUsd(margin), order.margin);
    const filled = data?.status === 'holding';
    expect(await client.booked()).toEqual(
      movements(
        sign(more) === 0 ? undefined : [sign(more) > 0 ? 'frozen' : 'released', negate(more)],
        filled ? ['fee', negate(toUsd(fee))] : undefined,
      ),
    );
    expect(data && [data.margin, data.fee, data.originPrice].map(toText)).toEqual(
      [toUsd(margin), toUsd(fee), target].map(toText),
    );
    expect((await client.settled()).available).toBe(availableAfter);
    return true;
  }

  /** A stop-loss that follows the price is where the form says, and books what it says. */
  private async trail(wish: Wish, order: Order, instrument: Instrument): Promise<void> {
    const { client } = this;
    const { unitsPerLot } = instrument;
    const now = this.judged(instrument, OPPOSITE[order.side]);
    const trailing = subtract(this.away(instrument, wish.loss, now), now);
    if (compare(trailing, now) >= 0) return;
    const exits: Exits = { stopLoss: '', takeProfit: '', trailing: toText(trailing) };
    const stopLoss = followedStop({ side: order.side, stopLoss: ZERO, trailing }, now);
    await client.done(client.workerApi.setExits(order.id, exits, randomUUID()));
    await client.settled();
    expect(text(client.order(order.id)?.stopLoss)).toBe(toText(stopLoss));
    const forms = exitFromPrice({ ...order, unitsPerLot }, stopLoss);
    await client.booked();
    await this.trigger(instrument, stopLoss);
    const row = await client.row(3, order.id);
    if (row.CloseReason === 'stop_out') return;
    expect(await this.endOf(order.id)).toEqual(
      movements(['released', order.margin], ['profit', forms.profit]),
    );
    expect(row).toMatchObject({
      CloseReason: 'stop_loss',
      FactProfits: toFixed(forms.profit, PROFIT_SCALE),
    });
    this.count('trailing stop');
  }

  private async pending(wish: Wish, outcome: (typeof OUTCOMES)[number]): Promise<void> {
    const { client } = this;
    const instrument = await this.priced(wish);
    const own = this.judged(instrument, wish.side);
    const target = this.away(instrument, wish.target, own);
    const ticket = await this.ticket(wish, instrument, {
      type: 'pending',
      targetPrice: toText(target),
    });
    if (!ticket) return;
    const waits = compare(target, own) !== 0;
    const order = await this.place(ticket, waits);
    if (!waits || outcome === 'waits') return this.count('waits');
    const { margin = '', fee = '' } = ticket.preview;
    await client.booked();
    if (outcome === 'amendment') {
      if (!(await this.amend(wish, order, instrument))) return;
    } else if (outcome === 'cancel') {
      await client.done(client.workerApi.cancelOrder(order.id, randomUUID()));
      expect(await client.booked()).toEqual(movements(['released', toUsd(margin)]));
    } else {
      await this.trigger(instrument, target);
      const filled = client.order(order.id);
      // It was stopped out at once.
      if (filled?.status !== 'holding') return;
      expect(await client.booked(order.id)).toEqual(movements(['fee', negate(toUsd(fee))]));
      expect([filled.margin, filled.fee, filled.price].map(toText)).toEqual(
        [toUsd(margin), toUsd(fee), target].map(toText),
      );
    }
    await client.settled();
    this.count(outcome);
  }

  /** Closes everything, one after the other. At the latest prices the equity becomes the balance. */
  private async closeAll(): Promise<void> {
    const { client } = this;
    const { instruments } = client.server.market;
    const before = await client.settled();
    const open = instruments.flatMap(({ id }) => client.workerApi.ordersOf(id));
    let expected = toUsd(before.balance);
    for (const { id } of open.filter(({ status }) => status === 'pending'))
      await client.done(client.workerApi.cancelOrder(id, randomUUID()));
    for (const order of open.filter(({ status }) => status === 'holding')) {
      const instrument = instruments.find(({ id }) => id === order.instrumentId) as Instrument;
      const { closed } = await this.sheet(order, instrument);
      expected = add(expected, closed.profit);
      await client.done(client.workerApi.closeOrder(order, randomUUID(), true));
    }
    await client.booked();
    const { balance, marginInUse } = await client.settled();
    // What the account could not bear was lifted.
    expect([balance, marginInUse]).toEqual([toText(maximum(expected, ZERO)), '0']);
    this.count('close all');
  }

  /** What a deposit is said to credit is credited. */
  private async deposit(cents: number, choice: number): Promise<void> {
    const { client } = this;
    const { workerApi } = client;
    const coins = await client.api('wallet.coinNetworks', {});
    const banks = await client.api('wallet.bankCurrencies', {});
    const { usdPrice, ...channel } =
      choice % 2
        ? {
            kind: 'coin' as const,
            ...(coins[(choice >> 1) % coins.length] ?? expect.fail('no network')),
          }
        : {
            kind: 'bank' as const,
            address: '',
            ...(banks[(choice >> 1) % banks.length] ?? expect.fail('no bank')),
          };
    const { kind, address } = channel;
    const [account] =
      kind === 'bank' ? await client.api('wallet.bankAccounts', { bank_coin: channel.id }) : [];
    const channelId = kind === 'bank' ? (account?.id ?? expect.fail('no account')) : channel.id;
    // About so many cents of USD, with all decimals that the currency takes.
    const number = toCurrencyAmount(
      toFixed(multiply(usdPrice, decimal(cents, 2)), kind === 'coin' ? 8 : 2),
    );
    const said = credit(number, usdPrice);
    await client.booked();
    const proof = await client.picture(this.pictures++);
    const params = { number: toText(number), proofImg: proof };
    if (kind === 'coin')
      await client.api('wallet.submitCoinDeposit', { ...params, address, charge_id: channelId });
    else await client.api('wallet.submitBankDeposit', { ...params, wire_id: channelId });
    await client.pass(FOR_A_REVIEW);
    expect(await client.booked()).toEqual(movements(['deposited', said]));
    await client.done(workerApi.refreshOrders());
    await client.settled();
    this.count('deposit');
  }

  /** Fee and payout are those of the form, and the amount is frozen until it is paid. */
  private async withdraw({ cents, choice }: Wish, feeType: WithdrawFeeType): Promise<void> {
    const { client } = this;
    const { workerApi } = client;
    // Coins have fixed fees, most banks a rate.
    const kind = feeType === 'fixed' ? ('coin' as const) : ('bank' as const);
    const offered = await client.api('wallet.withdrawCurrencies', {
      type: MONEY_TYPES[kind],
    });
    const currencies = offered.filter((each) => each.feeType === feeType);
    const currency = currencies[choice % currencies.length] ?? expect.fail('no currency');
    const { available, lockBalance } = await client.settled();
    const most = largestWithdrawal(toUsd(available));
    const all = choice % 4 === 0;
    const amount = all ? most : minimum(toUsd(decimal(cents, 2)), most);
    if (compare(amount, toUsd(30)) < 0) return;
    const saved = await client.api('wallet.payoutMethods', {
      draw_type: MONEY_TYPES[kind],
      draw_id: currency.id,
    });
    const own = saved[0]?.id ?? (await this.bind(kind, currency.id));
    const said = previewWithdrawal(currency, amount) ?? expect.fail('no preview');
    await client.booked();
    const { data: id } = await client.api('wallet.submitWithdrawal', {
      draw_currency_id: currency.id,
      number: toText(amount),
      draw_method_id: own,
    });
    expect(await client.booked()).toEqual(movements(['withdrawal', negate(amount)]));
    const { rows } = await client.api('wallet.withdrawalList', { type: MONEY_TYPES[kind] });
    const row = rows.find((each) => each.id === id) ?? expect.fail('not listed');
    expect([row.number, row.fee, row.received].map(two)).toEqual(
      [amount, said.fee, said.received].map(two),
    );
    const frozen = await client.settled();
    expect(frozen.lockBalance).toBe(toText(add(toUsd(lockBalance), amount)));
    const wallet = await client.api('wallet.balance', {});
    expect(toText(wallet.lockBalance)).toBe(frozen.lockBalance);
    await client.pass(FOR_A_REVIEW);
    await client.done(workerApi.refreshOrders());
    expect([await client.booked(), (await client.settled()).lockBalance]).toEqual([
      [],
      lockBalance,
    ]);
    this.count(`withdrawal at a ${feeType === 'fixed' ? 'fixed fee' : 'rate'}`);
    if (all) await this.deposit(AT_FIRST, 2 * choice);
  }

  private async bind(kind: 'coin' | 'bank', currencyId: number): Promise<number> {
    const bank = {
      bank_name: 'Harbor Bank',
      bank_address: 'Quay 1',
      bank_swift: 'HARBHKHH',
      payee_name: 'Ada Example',
      payee_account: '123-456',
    };
    const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const { data } = await this.client.api('wallet.addPayoutMethod', {
      type: MONEY_TYPES[kind],
      draw_id: currencyId,
      ...(kind === 'bank' ? bank : { dc_address: currencyId === 1 ? TRON : ether }),
    });
    return data ?? expect.fail('not saved');
  }

  /** Profit and penalty of a fund are those of the form. */
  private async subscribe({ cents, choice }: Wish): Promise<void> {
    const { client } = this;
    const { workerApi } = client;
    const { rows: funds } = await client.api('mining.fundList', { page: 1 });
    const fund = funds[choice % funds.length] ?? expect.fail('no fund');
    const most = largestWithdrawal(toUsd((await client.settled()).available));
    // An odd amount within the bounds of each fund.
    const amount = minimum(add(fund.minAmount, toUsd(decimal(cents % 100_000, 2))), most);
    if (compare(amount, fund.minAmount) < 0) return;
    const daily = dailyProfit(fund.dividendPercentage, amount);
    await client.booked();
    const { data } = await client.api('mining.buyFund', { id: fund.id, amount: toText(amount) });
    const subscription = data ?? expect.fail('no subscription');
    expect(await client.booked()).toEqual(movements(['subscribed', negate(amount)]));
    expect([subscription.dayProfit, subscription.sumProfit].map(toText)).toEqual(
      [daily, totalProfit(fund.lockDays, daily)].map(toText),
    );
    await client.settled();
    await client.api('mining.redeemSubscription', { sub_id: subscription.id });
    await client.pass(FOR_A_REVIEW);
    expect(await client.booked()).toEqual(
      movements(['redeemed', redeemed(fund.liquidatedDamages, amount)]),
    );
    await client.done(workerApi.refreshOrders());
    await client.settled();
    this.count('fund');
  }
}
