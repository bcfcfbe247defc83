import { expect, test } from 'vitest';
import { categoryList, sparklines } from '#domain/api/market';
import { parse } from '#domain/api/schema';

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
