import { beforeEach, describe, expect, it } from 'vitest';
import { readInstrument } from '#domain/api/read-market';
import { parse } from '#domain/api/schema';
import { order as orderSchema } from '#domain/api/trading';
import { toText } from '#domain/core/decimal';
import { toPrice } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { Order } from '#domain/trading/order';
import { createPositions, type Positions } from '../../../workers/pricing/positions';
import type { Prices } from '../../../workers/pricing/prices';
import { instrumentRow } from '../support/testWorker';

/** Prices from a table, which records the reads and the followers of each. */
class Table implements Prices {
  readonly prices = new Map<number, string>();
  readonly instruments = new Map<number, Instrument>();
  readonly followers = new Map<number, Set<() => void>>();
  looks: number[] = [];

  of(id: number) {
    const table = this;
    return {
      get instrument() {
        return table.instruments.get(id);
      },
      get price() {
        table.looks.push(id);
        const price = table.prices.get(id);
        return price === undefined ? undefined : toPrice(price);
      },
      marketOpen: true,
    };
  }

  follow(id: number, moved: () => void) {
    const followers = this.followers.get(id) ?? new Set();
    this.followers.set(id, followers.add(moved));
    const priced = this.of(id);
    return Object.assign(Object.create(priced) as typeof priced, {
      release: () => followers.delete(moved),
    });
  }

  allMoved() {}

  tick(id: number, price: string) {
    this.prices.set(id, price);
    for (const moved of this.followers.get(id) ?? []) moved();
  }
}

function order(id: number, instrumentId: number, more: object = {}): Order {
  const read = parse(orderSchema, {
    Id: id,
    ForexTradeLists: { Id: instrumentId, Code: `CODE${instrumentId}`, PricePrecision: 5 },
    OrderType: 1,
    Quantity: '0.1',
    Price: '1.1',
    UpdatePrice: '1.1',
    FactProfits: '7.5',
    CautionMoney: '110',
    Status: 1,
    ...more,
  });
  if (!read) throw new Error('no order');
  return { ...read, instrumentId, precision: 5 };
}

let table: Table;
let positions: Positions;
let moves: number;
let open: Map<number, Order>;

beforeEach(() => {
  table = new Table();
  moves = 0;
  open = new Map();
  for (const id of [1, 2]) {
    const listed = readInstrument(instrumentRow(id, `CODE${id}`));
    if (listed) table.instruments.set(id, listed.instrument);
    table.prices.set(id, '1.1');
  }
  positions = createPositions(table, () => {
    moves += 1;
  });
});

function put(next: Order): void {
  positions.changed(open.get(next.id), next);
  open.set(next.id, next);
}

function end(id: number): void {
  positions.changed(open.get(id), undefined);
  open.delete(id);
}

describe('floating profit', () => {
  it('moves with the price, for and against, to six decimals', () => {
    put(order(1, 1));
    put(order(2, 1, { OrderType: 2, Quantity: '0.03', Price: '1.1234567' }));
    table.tick(1, '1.10001');
    expect(toText(positions.profit())).toBe('70.4401');
    expect(toText(positions.live(order(2, 1, { OrderType: 2 })).profit)).toBe('-0.1');
  });

  it('does not exist for a pending order, which has a price nevertheless', () => {
    put(order(1, 1, { Status: 0, Price: '0' }));
    table.tick(1, '1.2');
    expect(toText(positions.profit())).toBe('0');
    positions.watch({ add: [1], remove: [] });
    expect(positions.drainProfits()).toEqual([{ id: 1, profit: '0.000000', price: 1.2 }]);
  });

  it('is the server’s value without a price or an instrument', () => {
    table.prices.delete(1);
    put(order(1, 1));
    put(order(2, 9));
    expect(toText(positions.profit())).toBe('15');
    expect(toText(positions.live(order(2, 9)).updatePrice)).toBe('1.1');
    table.tick(1, '1.2');
    expect(toText(positions.profit())).toBe('1007.5');
  });

  it('follows an order through fill, stops and end', () => {
    put(order(1, 1, { Status: 0, Price: '0' }));
    put(order(1, 1, { Price: '1.09' }));
    expect(toText(positions.profit())).toBe('100');
    put(order(1, 1, { Price: '1.09', TargetLossPrice: '1' }));
    expect(toText(positions.profit())).toBe('100');
    end(1);
    expect(toText(positions.profit())).toBe('0');
  });
});

describe('a tick', () => {
  it('changes only the orders of its instrument', () => {
    for (let id = 1; id <= 50; id++) put(order(id, (id % 2) + 1));
    positions.profit();
    positions.watch({ add: [1, 2, 3, 4], remove: [] });
    positions.drainProfits();
    table.looks = [];
    table.tick(1, '1.2');
    // Nothing is computed before it is read.
    expect(table.looks).toEqual([]);
    expect(toText(positions.profit())).toBe('25000');
    expect(positions.drainProfits()?.map(({ id }) => id)).toEqual([2, 4]);
    expect(new Set(table.looks)).toEqual(new Set([1]));
    table.looks = [];
    positions.profit();
    expect(positions.drainProfits()).toBeUndefined();
    expect(table.looks).toEqual([]);
  });

  it('profits of many orders are one sum', () => {
    for (let id = 1; id <= 10; id++) put(order(id, 1));
    positions.profit();
    table.looks = [];
    for (let i = 0; i < 100; i++) table.tick(1, `1.2${i}`);
    positions.profit();
    expect(table.looks).toHaveLength(10);
  });

  it('has no listener once the last order of its instrument is gone', () => {
    put(order(1, 1));
    put(order(2, 1));
    end(1);
    expect(table.followers.get(1)?.size).toBe(1);
    end(2);
    expect(table.followers.get(1)?.size).toBe(0);
    put(order(3, 1));
    table.tick(1, '1.2');
    expect(toText(positions.profit())).toBe('1000');
  });
});

describe('watched orders', () => {
  it('are reported once, then when they change, until they are no longer watched', () => {
    put(order(1, 1));
    put(order(2, 1));
    positions.watch({ add: [1], remove: [] });
    expect(positions.drainProfits()).toEqual([{ id: 1, profit: '0.000000', price: 1.1 }]);
    expect(positions.drainProfits()).toBeUndefined();
    table.tick(1, '1.2');
    expect(positions.drainProfits()).toEqual([{ id: 1, profit: '1000.000000', price: 1.2 }]);
    table.tick(1, '1.3');
    table.tick(1, '1.2');
    expect(positions.drainProfits()).toBeUndefined();
    positions.watch({ add: [2], remove: [1] });
    table.tick(1, '1.3');
    expect(positions.drainProfits()?.map(({ id }) => id)).toEqual([2]);
  });

  it('are reported when they are loaded after they are watched', () => {
    positions.watch({ add: [1], remove: [] });
    expect(positions.drainProfits()).toBeUndefined();
    put(order(1, 1));
    expect(positions.drainProfits()).toEqual([{ id: 1, profit: '0.000000', price: 1.1 }]);
    expect(moves).toBeGreaterThan(0);
  });
});
