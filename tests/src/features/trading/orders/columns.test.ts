import { describe, expect, it } from 'vitest';
import { CLOSE_REASONS } from '#domain/trading/order';
import { orderSort } from '../../../../../src/features/trading/orders/columns';

describe('sorting by a column', () => {
  it('sorts a live column by the latest price, and others by the field of their name', () => {
    expect(orderSort('latest', true)).toEqual({ column: 'updatePrice', descending: true });
    expect(orderSort('closingPrice', false)).toEqual({ column: 'updatePrice', descending: false });
    expect(orderSort('margin', true)).toEqual({ column: 'margin', descending: true });
  });

  it('gives the worker the text of each side and reason', () => {
    expect(Object.keys(orderSort('side', false).labels ?? {})).toEqual(['buy', 'sell']);
    const { column, labels } = orderSort('reason', false);
    expect(column).toBe('closeReason');
    expect(labels?.['']).toBe('–');
    expect(Object.keys(labels ?? {})).toEqual(['', ...CLOSE_REASONS]);
    expect(new Set(Object.values(labels ?? {})).size).toBe(8);
  });
});
