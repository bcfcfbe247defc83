import { describe, expect, it } from 'vitest';
import { CLOSE_REASONS } from '#domain/trading/order';
import { cellText, columnsOf, orderSort } from '../../../../../src/features/trading/orders/columns';
import { order, price, usd } from '../../sampleOrder';

it('begins with instrument, lots and profit where not all columns of positions fit', () => {
  expect(columnsOf('holding', true).slice(0, 3)).toEqual(['name', 'lots', 'profit']);
});

describe('sorting by a column', () => {
  it('sorts a live column by the latest price, and others by the field of their name', () => {
    expect(orderSort('latest', true)).toEqual({ column: 'updatePrice', descending: true });
    expect(orderSort('closingPrice', false)).toEqual({ column: 'updatePrice', descending: false });
    expect(orderSort('margin', true)).toEqual({ column: 'margin', descending: true });
  });

  it('shows and sorts closed orders by what is left after the fee, with both prices and the fee beside it', () => {
    const closed = order({ status: 'closed', profit: usd('0.15'), updatePrice: price('1.10015') });
    for (const narrow of [true, false]) {
      const shown = columnsOf('closed', narrow).map((column) => cellText(column, closed));
      expect(shown).toEqual(expect.arrayContaining(['1.10000', '1.10015', '-0.05', '0.20']));
      expect(shown).not.toContain('+0.15');
    }
    expect(orderSort('net', true)).toEqual({ column: 'net', descending: true });
    const cancelled = order({ status: 'closed', price: price(0), closeReason: 'cancelled' });
    expect(cellText('net', cancelled)).toBe('0.00');
    expect(cellText('fee', cancelled)).toBe('0.00');
  });

  it('gives the worker the text of each side and reason', () => {
    expect(Object.keys(orderSort('side', false).labels ?? {})).toEqual(['buy', 'sell']);
    const { column, labels } = orderSort('reason', false);
    expect(column).toBe('closeReason');
    expect(labels?.['']).toBe('–');
    expect(Object.keys(labels ?? {})).toEqual(['', ...CLOSE_REASONS]);
    expect(new Set(Object.values(labels ?? {})).size).toBe(CLOSE_REASONS.length + 1);
  });
});
