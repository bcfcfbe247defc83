import { beforeEach, describe, expect, it } from 'vitest';
import { readInstrument } from '#domain/api/read-market';
import type { ListQuery } from '#domain/market/list';
import { createFrames, type Revision } from '../../../workers/frames/frames';
import { createList, type InstrumentList, RESORT_MS } from '../../../workers/market/list';
import { Quotes } from '../../../workers/market/quotes';
import { FakeClock } from '../support/fakeClock';
import { instrumentRow } from '../support/testWorker';
import { tickRow } from '../support/ticks';

let clock: FakeClock;
let list: InstrumentList;
let quotes: Quotes;
let revision: Revision;

const CODES = ['GOLD', 'BTC', 'EURUSD', 'NIKKEI', 'OIL10', 'OIL2'];

beforeEach(() => {
  clock = new FakeClock();
  quotes = new Quotes({
    clock,
    proven: () => true,
    changed: () => {},
    moved: () => list.moved(),
    marketChanged: () => {},
    reasonTold: () => {},
    finer: () => {},
    newest: () => {},
  });
  revision = createFrames(clock).revision('listRevision');
  list = createList(clock, quotes, revision);
  list.setLanguage('en');
});

function load(): void {
  const rows = CODES.map((code, index) =>
    readInstrument(
      instrumentRow(index + 1, code, { ShowCode: `${code}/USD`, CategoryId: (index % 2) + 1 }),
    ),
  );
  list.replace(rows.filter((row) => row !== undefined));
}

function change(percents: Record<string, string>): void {
  for (const [code, Change] of Object.entries(percents))
    quotes.applyTicks(tickRow(0, code, `${1 + Number(Change) / 100}`, { Change }));
}

const query = (more: Partial<ListQuery> = {}): ListQuery => ({
  sort: 'default',
  descending: false,
  favourites: [],
  ...more,
});
const codes = (more: Partial<ListQuery> = {}, from = 0, to = 100) =>
  list.rows(query(more), from, to).rows.map((row) => row.instrument.code);

describe('the list', () => {
  it('keeps the row of an instrument that has left it, closed whatever its ticks say', () => {
    load();
    change({ BTC: '5' });
    const before = list.row('BTC');
    const rows = CODES.filter((code) => code !== 'BTC').map((code) =>
      readInstrument(instrumentRow(CODES.indexOf(code) + 1, code)),
    );
    list.replace(rows.filter((row) => row !== undefined));
    expect(list.row('BTC')).toMatchObject({
      instrument: before?.instrument,
      quote: { close: 1.05, marketOpen: false },
      delisted: true,
    });
    quotes.applyTicks(tickRow(2, 'BTC', '1.06', { MarketStatus: 1 }));
    expect(list.row('BTC')?.quote).toMatchObject({ close: 1.06, marketOpen: false });
    expect(list.instrument(2)).toBeUndefined();
    expect(codes()).not.toContain('BTC');
    load();
    quotes.applyTicks(tickRow(2, 'BTC', '1.07', { MarketStatus: 1 }));
    expect(list.row('BTC')).toMatchObject({ quote: { close: 1.07, marketOpen: true } });
    expect(list.row('BTC')).not.toHaveProperty('delisted');
  });

  it('is loading until there is one', () => {
    expect(list.rows(query(), 0, 10)).toMatchObject({ loading: true, total: 0, rows: [] });
    expect(list.row('GOLD')).toBeUndefined();
    load();
    expect(list.rows(query(), 0, 10)).toMatchObject({ loading: false, total: 6 });
  });

  it("keeps the server's order, or the user's", () => {
    load();
    change({ GOLD: '1.5', BTC: '-3', EURUSD: '0', NIKKEI: '2', OIL2: '-0.5' });
    // OIL10 has no quote, so its market is not known to be open.
    expect(codes()).toEqual(['GOLD', 'BTC', 'EURUSD', 'NIKKEI', 'OIL2', 'OIL10']);
    expect(codes({ sort: 'name' })).toEqual(['BTC', 'EURUSD', 'GOLD', 'NIKKEI', 'OIL2', 'OIL10']);
    expect(codes({ sort: 'name', descending: true })[0]).toBe('OIL10');
    expect(codes({ sort: 'change', descending: true })).toEqual([
      'NIKKEI',
      'GOLD',
      'EURUSD',
      'OIL2',
      'BTC',
      'OIL10',
    ]);
    expect(codes({ sort: 'change' })).toEqual(['BTC', 'OIL2', 'EURUSD', 'GOLD', 'NIKKEI', 'OIL10']);
    const byMoves = { sort: 'change', descending: true, ranked: true, favourites: [1] } as const;
    expect(codes(byMoves)).toEqual(['BTC', 'NIKKEI', 'GOLD', 'OIL2', 'EURUSD', 'OIL10']);
  });

  it('finds part of a name or code in any case, within a category', () => {
    load();
    expect(codes({ search: ' oil ' })).toEqual(['OIL10', 'OIL2']);
    expect(codes({ search: 'oil', categoryId: 2 })).toEqual(['OIL2']);
    expect(codes({ search: '/usd', categoryId: 1 })).toEqual(['GOLD', 'EURUSD', 'OIL10']);
    expect(codes({ search: 'nothing' })).toEqual([]);
  });

  it.each(['xrp usd', 'USD xrp', 'xrpusd', 'Xrp-Usd', 'usd/xrp', ' x.r.p '])(
    'finds XRP/USD by "%s"',
    (search) => {
      const row = readInstrument(instrumentRow(7, 'X1', { ShowCode: 'XRP/USD' }));
      list.replace(row ? [row] : []);
      expect(codes({ search })).toEqual(['X1']);
      expect(codes({ search: `${search} eur` })).toEqual([]);
    },
  );

  it('finds instruments that have each part in the name or the code', () => {
    const row = readInstrument(instrumentRow(7, 'BTCUSD', { ShowCode: 'Bitcoin' }));
    list.replace(row ? [row] : []);
    expect(codes({ search: 'usd bitcoin' })).toEqual(['BTCUSD']);
    load();
    expect(codes({ search: 'usd eur' })).toEqual(['EURUSD']);
    expect(codes({ search: 'gold btc' })).toEqual([]);
    expect(codes({ search: ' / ' })).toEqual(CODES);
  });

  it('puts open markets first in the default order only, and lists them alone', () => {
    load();
    change({ GOLD: '3', BTC: '2', EURUSD: '1', OIL10: '0', OIL2: '0' });
    for (const code of ['GOLD', 'NIKKEI'])
      quotes.applyTicks(tickRow(1, code, '1.03', { MarketStatus: 2, Change: '3' }));
    expect(codes()).toEqual(['BTC', 'EURUSD', 'OIL10', 'OIL2', 'GOLD', 'NIKKEI']);
    expect(codes({ favourites: [4, 5] }).slice(0, 3)).toEqual(['OIL10', 'NIKKEI', 'BTC']);
    expect(codes({ sort: 'name' })[2]).toBe('GOLD');
    expect(codes({ sort: 'change', descending: true })[0]).toBe('GOLD');
    expect(codes({ open: true })).toEqual(['BTC', 'EURUSD', 'OIL10', 'OIL2']);
    expect(codes({ open: true, categoryId: 1 })).toEqual(['EURUSD', 'OIL10']);
  });

  it('puts favourites first, in the order of the sort', () => {
    load();
    expect(codes({ sort: 'name', favourites: [6, 1, 99] }).slice(0, 3)).toEqual([
      'GOLD',
      'OIL2',
      'BTC',
    ]);
  });

  it('lists given instruments in their own order, or sorted, favourites among them', () => {
    load();
    const alone: Partial<ListQuery> = { only: [6, 1, 99, 2], favourites: [2] };
    expect(codes(alone)).toEqual(['OIL2', 'GOLD', 'BTC']);
    expect(codes({ ...alone, descending: true })).toEqual(['BTC', 'GOLD', 'OIL2']);
    expect(codes({ ...alone, sort: 'name' })).toEqual(['BTC', 'GOLD', 'OIL2']);
    expect(codes({ only: [], favourites: [6] })).toEqual([]);
  });

  it('knows at which place a query has an instrument', () => {
    load();
    expect(list.rowIndex(query(), 'EURUSD')).toBe(2);
    expect(list.rowIndex(query({ categoryId: 1 }), 'EURUSD')).toBe(1);
    expect(list.rowIndex(query({ categoryId: 1 }), 'BTC')).toBeUndefined();
    expect(list.rowIndex(query(), 'unknown')).toBeUndefined();
  });

  it('returns windows of rows', () => {
    load();
    expect(codes({}, 2, 4)).toEqual(['EURUSD', 'NIKKEI']);
    expect(codes({}, 5, 50)).toEqual(['OIL2']);
    expect(codes({}, 90, 95)).toEqual([]);
    expect(list.rows(query(), -3, 2)).toMatchObject({ from: 0, total: 6 });
  });

  it('finds a row by its code, otherwise the first row', () => {
    load();
    expect(list.row('BTC')?.instrument.id).toBe(2);
    expect(list.row('unknown')).toBeUndefined();
    expect(list.row(undefined)?.instrument.id).toBe(1);
  });

  it('prefers a tradable instrument as the first row', () => {
    load();
    change({ BTC: '1' });
    quotes.applyTicks(tickRow(0, 'GOLD', '1.00', { MarketStatus: 2 }));
    expect(list.row(undefined)?.instrument.id).toBe(2);
    expect(list.row('GOLD')?.instrument.id).toBe(1);
  });

  it('is sorted by change periodically, never on a tick', async () => {
    load();
    change({ GOLD: '1', BTC: '2' });
    await clock.advance(RESORT_MS);
    const byChange = { sort: 'change', descending: true } as const;
    expect(codes(byChange).slice(0, 2)).toEqual(['BTC', 'GOLD']);
    const { current } = revision;
    for (let i = 0; i < 100; i++) change({ GOLD: `${3 + i}` });
    expect(revision.current).toBe(current);
    expect(codes(byChange).slice(0, 2)).toEqual(['BTC', 'GOLD']);
    await clock.advance(RESORT_MS);
    expect(revision.current).toBe(current + 1);
    expect(codes(byChange).slice(0, 2)).toEqual(['GOLD', 'BTC']);
    change({ GOLD: '500' });
    await clock.advance(RESORT_MS);
    expect(revision.current).toBe(current + 1);
  });

  it('runs no timer when it is no longer sorted by change', async () => {
    load();
    change({ BTC: '0' });
    codes({ sort: 'change' });
    for (let i = 0; i < 10; i++) {
      change({ GOLD: `${i % 2 ? 9 : -9}` });
      await clock.advance(RESORT_MS);
    }
    change({ GOLD: '1' });
    expect(clock.pending).toBe(0);
  });
});
