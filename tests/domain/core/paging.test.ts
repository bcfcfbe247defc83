import { describe, expect, it } from 'vitest';
import { alertList } from '#domain/api/alerts';
import { incomeList } from '#domain/api/mining';
import { parse } from '#domain/api/schema';
import { recordList } from '#domain/api/wallet';
import { toText } from '#domain/core/decimal';
import { isFinished, type ListPage, rowsOf } from '#domain/core/paging';

const page = (ids: number[], more: Partial<ListPage<{ id: number }>> = {}) => ({
  rows: ids.map((id) => ({ id })),
  received: ids.length,
  total: undefined,
  last: undefined,
  ...more,
});

describe('a list with a total (protocol.md#lists: news, charge, withdraw)', () => {
  it('is finished once all rows were sent', () => {
    const first = page([3, 2], { total: 3 });
    expect(isFinished([])).toBe(false);
    expect(isFinished([first])).toBe(false);
    expect(isFinished([first, page([1], { total: 3 })])).toBe(true);
    expect(isFinished([page([], { total: 0 })])).toBe(true);
  });

  it('counts the rows sent, not the valid ones', () => {
    expect(isFinished([page([1], { received: 2, total: 2 })])).toBe(true);
  });

  it('uses the newest total, and ends at an empty page', () => {
    expect(isFinished([page([3, 2], { total: 2 }), page([1], { total: 9 })])).toBe(false);
    expect(isFinished([page([3, 2], { total: 9 }), page([], { total: 9 })])).toBe(true);
  });
});

describe('a list with a last page (protocol.md#lists: mining)', () => {
  it('is finished when that is the current one', () => {
    expect(isFinished([page([1], { last: false })])).toBe(false);
    expect(isFinished([page([1], { last: true, total: 99 })])).toBe(true);
  });

  it.each([
    [{ data: [{ id: 1 }], current_page: 1, last_page: 2 }, false],
    [{ data: [{ id: 1 }], current_page: '2', last_page: '2' }, true],
    [{ data: [{ id: 1 }] }, false],
    [{ data: [] }, true],
  ])('as it is read: %j', (data, finished) => {
    const read = parse(incomeList.answer, data);
    expect(read && isFinished([read])).toBe(finished);
  });
});

describe('the rows of a list', () => {
  it('are unique, in the order of arrival', () => {
    const rows = rowsOf([page([5, 4]), page([4, 3]), page([3, 2, 5])]);
    expect(rows.map(({ id }) => id)).toEqual([5, 4, 3, 2]);
  });

  it('are empty without a list', () => {
    expect(parse(alertList.answer, { data: 'x', total: 1 })).toBeUndefined();
    expect(parse(alertList.answer, null)).toBeUndefined();
  });
});

describe('financial records', () => {
  const readRecordPage = (sent: unknown) => parse(recordList.answer, sent);
  const row = {
    Id: 7,
    Value: '-12.500000',
    Type: 4,
    Memo: 'Note of the desk',
    MemoTran: 'Fee of order 3',
    CreatedAtTran: '2026-01-31T08:00:00.000Z',
  };

  it('show the memo of type 10, otherwise its translation (domain.md#financial-records)', () => {
    const read = readRecordPage({ list: [row, { ...row, Id: 6, Type: '10' }], total: '2' });
    expect(read?.rows.map(({ text }) => text)).toEqual(['Fee of order 3', 'Note of the desk']);
    expect(read?.rows.map(({ value }) => toText(value))).toEqual(['-12.5', '-12.5']);
    expect(read?.rows[0]?.createdAt).toBe(Date.UTC(2026, 0, 31, 8));
    expect(read).toMatchObject({ received: 2, total: 2 });
  });

  it('leave out an invalid row', () => {
    const bad = [null, {}, { ...row, Id: 0 }, { ...row, Value: 'x' }, { ...row, Type: undefined }];
    expect(readRecordPage({ list: bad, total: 5 })).toMatchObject({ rows: [], received: 5 });
    expect(readRecordPage({ data: [row], total: 1 })).toBeUndefined();
  });
});
