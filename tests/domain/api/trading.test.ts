import { describe, expect, it } from 'vitest';
import { parse } from '#domain/api/schema';
import { accountSummary, type OrderRow, order, orderList, resetDemo } from '#domain/api/trading';
import { toText } from '#domain/core/decimal';

const ROW: OrderRow = {
  Id: 41,
  ForexTradeLists: { Id: 7, Code: 'EURUSD', ShowCode: 'EUR/USD', PricePrecision: 5 },
  OrderType: 1,
  Quantity: '0.10',
  Multiple: '100',
  OriginPrice: '1.10000',
  Price: '1.10010',
  UpdatePrice: '1.10100',
  FactProfits: '9.000000',
  CautionMoney: '110.01',
  TradeFee: '0.50',
  TargetLossPrice: '1.09000',
  TargetProfitPrice: '0',
  Status: 1,
  CreateTimeHandler: '2026-01-31T08:00:00.000Z',
  CompleteTimeHandler: '',
  CloseReason: '',
};

const readOrder = (row: unknown) => parse(order, row);
const readOrderPage = (page: unknown) => parse(orderList.answer, page);
const readBalances = (figures: unknown) => parse(accountSummary.answer, figures);
const readReset = (answer: unknown) => parse(resetDemo.answer, answer);

/** An order with its amounts as text. */
function texts(row: unknown) {
  const read = readOrder(row);
  return (
    read &&
    Object.fromEntries(
      Object.entries(read).map(([name, value]) => [
        name,
        typeof value === 'object' ? toText(value) : value,
      ]),
    )
  );
}

describe('an order', () => {
  it('is read with its amounts exact', () => {
    expect(texts(ROW)).toEqual({
      id: 41,
      instrumentId: 7,
      code: 'EURUSD',
      name: 'EUR/USD',
      precision: 5,
      side: 'buy',
      lots: '0.1',
      leverage: '100',
      originPrice: '1.1',
      price: '1.1001',
      updatePrice: '1.101',
      profit: '9',
      margin: '110.01',
      fee: '0.5',
      swap: '0',
      stopLoss: '1.09',
      takeProfit: '0',
      trailing: '0',
      status: 'holding',
      createdAt: Date.UTC(2026, 0, 31, 8),
      completedAt: undefined,
      closeReason: '',
    });
  });

  it('is read with numbers as text or as numbers', () => {
    const row = {
      ...ROW,
      Id: '41',
      ForexTradeLists: { Id: '7', Code: 'EURUSD', ShowCode: 'EUR/USD', PricePrecision: '5' },
      OrderType: '1',
      Quantity: 0.1,
      Multiple: 100,
      Price: 1.1001,
      CautionMoney: 110.01,
      Status: '1',
    };
    expect(texts(row)).toEqual(texts(ROW));
  });

  it.each([
    [0, 'pending'],
    [1, 'holding'],
    [3, 'closed'],
  ])('has the status %i: %s', (Status, status) => {
    expect(readOrder({ ...ROW, Status })?.status).toBe(status);
  });

  it.each([
    [1, 'buy'],
    [2, 'sell'],
    [0, 'sell'],
    [7, 'sell'],
  ])('of the type %i is a %s (protocol.md#order)', (OrderType, side) => {
    expect(readOrder({ ...ROW, OrderType })?.side).toBe(side);
  });

  it.each([
    ['-6.50', '-6.5'],
    [-6.5, '-6.5'],
    ['12345678901234567890.12', '12345678901234567890.12'],
    [undefined, '0'],
    [null, '0'],
    ['', '0'],
    ['--', '0'],
    ['NaN', '0'],
    [Number.NaN, '0'],
    ['1e999', '0'],
    ['9'.repeat(500), '0'],
    [{}, '0'],
    [[], '0'],
  ])(
    'with the swap %j costs %s in its nights (protocol.md#fields-that-cant-be-read)',
    (Swap, read) => {
      expect(texts({ ...ROW, Swap })?.['swap']).toBe(read);
    },
  );

  it('may lack fields that are only shown', () => {
    const { Id, OrderType, Quantity, Price, CautionMoney, Status } = ROW;
    const bare = { Id, OrderType, Quantity, Price, CautionMoney, Status };
    expect(texts({ ...bare, ForexTradeLists: { Id: 7 } })).toMatchObject({
      name: '',
      precision: undefined,
      stopLoss: '0',
      profit: '0',
      createdAt: 0,
      closeReason: '',
    });
    expect(readOrder({ ...ROW, CloseReason: 'whim' })?.closeReason).toBe('');
    expect(readOrder({ ...ROW, CompleteTimeHandler: '2026-01-31T09:00:00Z' })?.completedAt).toBe(
      Date.UTC(2026, 0, 31, 9),
    );
  });

  it.each([
    ['no object', 7],
    ['null', null],
    ['no instrument', { ...ROW, ForexTradeLists: undefined }],
    ['a list as its instrument', { ...ROW, ForexTradeLists: [] }],
    ['no id', { ...ROW, Id: 'x' }],
    ['an id of 0', { ...ROW, Id: 0 }],
    ['an unknown status', { ...ROW, Status: 2 }],
    ['a status named like a property', { ...ROW, Status: 'constructor' }],
    ['no type', { ...ROW, OrderType: null }],
    ['no lots', { ...ROW, Quantity: '0' }],
    ['negative lots', { ...ROW, Quantity: '-1' }],
    ['no margin', { ...ROW, CautionMoney: undefined }],
    ['no fill while it is held', { ...ROW, Price: '0' }],
    ['a booked profit that is none', { ...ROW, Status: 3, FactProfits: '9,5' }],
  ])('is dropped for %s', (_, row) => {
    expect(readOrder(row)).toBeUndefined();
  });
});

describe('a page of orders', () => {
  it('counts the rows sent, and leaves out invalid ones', () => {
    const page = readOrderPage({
      data: [ROW, null, { ...ROW, Id: 42 }],
      total: '250',
      all_fact_profits: '1.5',
    });
    expect(page).toMatchObject({ received: 3, total: 250 });
    expect(page?.rows.map(({ id }) => id)).toEqual([41, 42]);
    expect(page && toText(page.profit)).toBe('1.5');
  });

  it.each([null, 'x', {}, { data: {} }])('is not read from %j', (value) => {
    expect(readOrderPage(value)).toBeUndefined();
  });
});

describe('the figures of an account', () => {
  it('are read exactly, as text or as numbers', () => {
    const read = readBalances({ balance: '-0.000001', lock_balance: 5, caution_money: '5.00' });
    expect(read && Object.values(read).map(toText)).toEqual(['-0.000001', '5', '5']);
  });

  it.each([
    null,
    {},
    { balance: '1', lock_balance: '1' },
    { balance: '1', lock_balance: '--', caution_money: '1' },
  ])('are not read from %j', (value) => {
    expect(readBalances(value)).toBeUndefined();
  });

  it('after a reset have only a balance', () => {
    expect(readReset({ balance: '100000.000000' })).toBe('100000.000000');
    expect(readReset({ balance: 5 })).toBe('5');
    expect(readReset({ balance: 'much' })).toBeUndefined();
    expect(readReset(undefined)).toBeUndefined();
  });
});
