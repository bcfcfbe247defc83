import { expect, test } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import type { MarketView } from '../../../../server/market/market';
import { firstRows } from '../../../../server/market/quotes/firstRows';

const quote = (marketOpen: boolean) => ({
  ...{ price: 1.5, open: 1, time: toUnixMs(5), marketOpen },
  ...(marketOpen && { bid: 1.4, ask: 1.6 }),
});

/** Twenty instruments, of which every third is open and the second has no price. */
const market = {
  instruments: Array.from({ length: 20 }, (_, index) => ({
    id: index + 1,
    code: `C${index + 1}`,
    name: `N${index + 1}`,
    logo: '/logos/x.svg',
    precision: 5,
  })),
  quote: (id: number) => (id === 2 ? undefined : quote(id % 3 === 0)),
} as unknown as MarketView;

test('the page gets as many rows as a phone shows, open markets first, and none without a price', () => {
  const { at, rows } = firstRows(market, toUnixMs(7));
  expect(at).toBe(7);
  expect(rows.map(({ instrument }) => instrument.id)).toEqual([
    3, 6, 9, 12, 15, 18, 1, 4, 5, 7, 8, 10, 11, 13,
  ]);
  expect(rows[0]).toEqual({
    instrument: { id: 3, code: 'C3', name: 'N3', logo: '/logos/x.svg', precision: 5 },
    quote: { close: 1.5, open: 1, change: 50, time: 5, marketOpen: true },
    hasBook: true,
  });
  expect(rows.at(-1)).not.toHaveProperty('hasBook');
});
