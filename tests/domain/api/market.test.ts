import { expect, test } from 'vitest';
import { categoryList, instrumentList, sparklines } from '#domain/api/market';
import { parse } from '#domain/api/schema';
import { readDecimal } from '#domain/core/readAmounts';

test('categories have an id and a name, which may be empty', () => {
  const read = parse(categoryList.answer, [
    { Id: '1', NameShowTrans: 'Metals' },
    { Id: 2, NameShowTrans: '' },
    { Id: 3 },
    { Id: 'x', NameShowTrans: 'Nothing' },
    null,
  ]);
  expect(read).toEqual([
    { id: 1, name: 'Metals' },
    { id: 2, name: '' },
  ]);
  expect(parse(categoryList.answer, {})).toBeUndefined();
});

test('sparklines are read by id, without what is no price', () => {
  const many = Array.from({ length: 1001 }, (_, index) => String(index + 1));
  const sent = { 1: ['1.5', 2, '0', '-1', 'x', null], 2: 'x', x: ['1'], 3: many, 4: [] };
  const read = parse(sparklines.answer, sent);
  expect([...(read?.keys() ?? [])]).toEqual([1, 3, 4]);
  expect([...(read?.get(1) ?? [])]).toEqual([1.5, 2]);
  expect(read?.get(3)).toHaveLength(1000);
  expect(read?.get(3)?.[0]).toBe(2);
  expect(parse(sparklines.answer, [])).toBeUndefined();
});

const EURUSD = {
  ...{ Id: '7', Code: 'EURUSD', PricePrecision: 5, Pip: '0.01', ForexMinCont: '0.01' },
  ...{ ForexContNum: '100000', MarginMode: 2, ForexFeeRate: '5' },
};

test('a field of an instrument that can not be read costs only itself', () => {
  const row = {
    ...EURUSD,
    Hours: [{ Day: 1, Open: '07:00', Close: '16:00' }],
    ...{ SwapLong: '-1.5', SwapShort: 0.5 },
  };
  const known = {
    Id: 7,
    Hours: [{ day: 1, open: 420, close: 960 }],
    ...{ SwapLong: readDecimal('-1.5'), SwapShort: readDecimal('0.5') },
  };
  const quotations = { Open: '', Close: null, Change: '+0.1%', Time: '', Bid: '', Ask: 'x' };
  const sent = [
    row,
    { ...row, CategoryId: '', MarketStatus: 'x', HasForexMultiple: [{ Value: '' }], Logo: 1 },
    { ...row, ForexQuotations: quotations, NextOpen: 'x', SwapTriple: 7, ClosedReason: {} },
    { ...row, ForexQuotations: null, HasForexMultiple: null },
    null,
    { ...row, Id: 'x' },
  ];
  const read = parse(instrumentList.answer, sent);
  expect(read).toMatchObject([known, known, known, known]);
  expect(read).toHaveLength(4);
});

/** What is read of `[Day, Open, Close]`, as `[day, open, close]` in hours. */
function hoursOf(...rows: [day: number, open: string, close: string][]) {
  const Hours = rows.map(([Day, Open, Close]) => ({ Day, Open, Close }));
  const read = parse(instrumentList.answer, [{ ...EURUSD, Hours }])?.[0]?.Hours;
  return read?.map(({ day, open, close }) => [day, open / 60, close / 60]);
}

test('hours that do not close after they open close on the next day', () => {
  expect(hoursOf([0, '22:00', '00:00'], [1, '00:00', '00:00'], [5, '00:00', '21:00'])).toEqual([
    [0, 22, 24],
    [1, 0, 24],
    [5, 0, 21],
  ]);
  expect(hoursOf([6, '22:00', '06:30'], [2, '22:00', '22:00'], [4, '24:00', '02:00'])).toEqual([
    [6, 22, 24],
    [0, 0, 6.5],
    [2, 22, 24],
    [3, 0, 22],
    [5, 0, 2],
  ]);
});

test.each([
  [2, '7:00', '16:00'],
  [7, '07:00', '16:00'],
  [2, '07:00', ''],
])('hours with one that can not be read are not known: %s %s–%s', (...other) => {
  expect(hoursOf([1, '07:00', '16:00'])).toEqual([[1, 7, 16]]);
  expect(hoursOf([1, '07:00', '16:00'], other)).toBeUndefined();
});

test('an instrument without hours never trades', () => expect(hoursOf()).toEqual([]));
