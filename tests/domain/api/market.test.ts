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

test('a field of an instrument that can not be read costs only itself', () => {
  const row = {
    ...{ Id: '7', Code: 'EURUSD', PricePrecision: 5, Pip: '0.01', ForexMinCont: '0.01' },
    ...{ ForexContNum: '100000', MarginMode: 2, ForexFeeRate: '5' },
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
