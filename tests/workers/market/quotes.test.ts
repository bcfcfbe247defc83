import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { QUOTE } from '#domain/worker/workerApi';
import { Quotes } from '../../../workers/market/quotes';
import { FakeClock } from '../support/fakeClock';
import { tickRow } from '../support/ticks';

let quotes: Quotes;
let clock: FakeClock;
let changed: number;
let moved: number;

beforeEach(() => {
  clock = new FakeClock();
  changed = 0;
  moved = 0;
  quotes = new Quotes({
    clock,
    proven: () => true,
    changed: () => changed++,
    moved: () => moved++,
    marketChanged: () => {},
    reasonTold: () => {},
    finer: () => {},
    newest: () => {},
  });
  for (const [index, code] of ['EURUSD', 'NZDUSD', '__proto__'].entries())
    quotes.add(index + 1, code);
});

const good = tickRow(1, 'EURUSD', '1.25', { Open: '1', Change: '25', Time: 1000 });

describe('a list', () => {
  const listed = (close: number, time?: number, open = 1) => ({
    instrument: {} as never,
    quote: {
      close,
      open,
      change: 0,
      time: time === undefined ? time : toUnixMs(time),
      marketOpen: open > 0,
    },
    topOfBook: { bid: Number.NaN, ask: Number.NaN },
    nextOpen: undefined,
    closedReason: undefined,
  });

  it('that took long does not set back what a tick has brought since', () => {
    quotes.applyTicks([good]);
    quotes.applyListed(0, listed(1.1, 900), false, clock.now());
    expect(quotes.quote(0)).toMatchObject({ close: 1.25, time: 1000 });
    quotes.applyListed(0, listed(1.3, 1100), false, clock.now());
    expect(quotes.quote(0)).toMatchObject({ close: 1.3, time: 1100 });
  });

  it('sets nothing back either where a time is missing', () => {
    const timeless = tickRow(1, 'EURUSD', '1.25', { Open: '', Time: Number.NaN });
    const sentAt = clock.now();
    clock.sleep(500);
    quotes.applyTicks([good]);
    quotes.applyListed(0, listed(0, undefined, 0), false, sentAt);
    expect(quotes.quote(0)).toMatchObject({ close: 1.25, open: 1, time: 1000, marketOpen: true });
    quotes.applyTicks([timeless]);
    for (const time of [undefined, 1000, 1100]) {
      quotes.applyListed(0, listed(1.1, time, 1.2), false, sentAt);
      expect(quotes.quote(0)).toMatchObject({ close: 1.25, open: 1, time: undefined });
    }
    quotes.applyListed(0, listed(1.3), false, clock.now());
    expect(quotes.quote(0)).toMatchObject({ close: 1.3, time: undefined });
    // The clock was set back since the quote arrived.
    quotes.applyListed(0, listed(1.4), false, toUnixMs(clock.now() - 2000));
    expect(quotes.price(0)).toBe(1.3);
    clock.set(-1000);
    quotes.applyListed(0, listed(1.5), false, toUnixMs(clock.now() - 10));
    expect(quotes.price(0)).toBe(1.5);
  });

  it('sets nothing back that has changed since with the time of the last trade', () => {
    const sides = (bid: number, ask: number) => ({ topOfBook: { bid, ask } });
    quotes.applyTicks([good]);
    const sentAt = clock.now();
    clock.sleep(500);
    quotes.applyTicks([{ ...good, MarketStatus: 0, Bid: '1.24', Ask: '1.26' }]);
    quotes.applyListed(0, { ...listed(1.25, 1000), ...sides(1.2, 1.3) }, false, sentAt);
    expect(quotes.isOpen(0)).toBe(false);
    expect(quotes.topsOfBook.get(1)).toEqual({ bid: 1.24, ask: 1.26 });
    quotes.applyListed(0, { ...listed(1.25, 1000), ...sides(1.2, 1.3) }, false, clock.now());
    expect(quotes.isOpen(0)).toBe(true);
    expect(quotes.topsOfBook.get(1)).toEqual({ bid: 1.2, ask: 1.3 });
  });

  it('may give an instrument another id, which frames then have', () => {
    quotes.watch(0, true);
    quotes.applyTicks([good]);
    expect(quotes.collect()?.[QUOTE.id]).toBe(1);
    quotes.add(9, 'EURUSD');
    quotes.applyTicks([{ ...good, Close: '1.5', Time: 2000 }]);
    expect(quotes.collect()?.[QUOTE.id]).toBe(9);
  });
});

describe('a tick', () => {
  it('is read with numbers as text or as numbers', () => {
    const numbers = { ...good, Close: 1.25, Open: 1, Change: 25, Time: '1000', MarketStatus: '1' };
    quotes.applyTicks([good]);
    const first = quotes.quote(0);
    quotes.applyTicks([{ ...numbers, Code: 'NZDUSD' }]);
    expect(quotes.quote(1)).toEqual(first);
    expect(first).toEqual({ close: 1.25, open: 1, change: 25, time: 1000, marketOpen: true });
  });

  it('may have a code of digits as a number, like its instrument', () => {
    const slot = quotes.add(4, '700');
    quotes.applyTicks({ Code: 700, Close: '1.25' });
    expect(quotes.quote(slot).close).toBe(1.25);
  });

  it('may have an id, and no code that can be read', () => {
    for (const [index, Code] of [undefined, '', null].entries()) {
      quotes.applyTicks([{ ...good, Code, Close: index + 2, Time: 2000 + index }]);
      expect(quotes.quote(0)).toMatchObject({ close: index + 2, time: 2000 + index });
    }
    const unknown = { ...good, Code: 'OTHER', Close: '9' };
    quotes.applyTicks([unknown, { Close: '9' }, { Id: 1 }, { Id: 'EURUSD', Close: '9' }]);
    expect(quotes.quote(0).close).toBe(4);
  });

  it('may be a single row, or lack unchanged fields', () => {
    quotes.applyTicks(good);
    quotes.applyTicks({ Code: 'EURUSD', Close: '1.5' });
    expect(quotes.quote(0)).toEqual({
      close: 1.5,
      open: 1,
      change: 50,
      time: undefined,
      marketOpen: true,
    });
    quotes.applyTicks({ Code: 'EURUSD', MarketStatus: 0, Close: '1.5', Time: 2000 });
    expect(quotes.quote(0)).toEqual({
      close: 1.5,
      open: 1,
      change: 50,
      time: 2000,
      marketOpen: false,
    });
  });

  it.each(['0', '0.000', '-1.5', 0])('with a price of %j takes the price away', (Close) => {
    quotes.applyTicks([good, { ...good, Close, Time: 2000 }]);
    expect(quotes.quote(0)).toMatchObject({ close: Number.NaN, time: 2000 });
    quotes.applyTicks([{ ...good, Close: '1.5', Time: 3000 }]);
    expect(quotes.quote(0).close).toBe(1.5);
  });

  it('without a time keeps the time of the quote', () => {
    quotes.applyTicks([good, { Code: 'EURUSD', Close: '1.5' }, { ...good, Close: '9', Time: 999 }]);
    expect(quotes.quote(0).close).toBe(1.5);
  });

  const wrong: unknown[] = [
    null,
    true,
    {},
    [],
    '',
    ' ',
    '1,5',
    'abc',
    '0x10',
    '0b1',
    'Infinity',
    '1e999',
    'NaN',
    '--1',
    '1 2',
    '9'.repeat(65),
    '\u0661',
  ];
  const next = { Close: '7', Open: '7', Change: '9', Time: 2000, MarketStatus: 0 };
  it.each(wrong)('whose price is %j is dropped', (Close) => {
    quotes.applyTicks([good]);
    const before = quotes.quote(0);
    quotes.applyTicks([{ ...good, ...next, Close }]);
    quotes.applyCompactTicks([[1, Close, 2000, '0', '7', 0]]);
    expect(quotes.quote(0)).toEqual(before);
  });

  it.each(
    wrong.flatMap((value) =>
      ['Open', 'Change', 'Time', 'MarketStatus'].map((field) => [field, value] as const),
    ),
  )('whose %s is %j is applied without it', (field, value) => {
    const other = quotes.add(9, 'OTHER');
    for (const code of ['EURUSD', 'OTHER']) quotes.applyTicks([{ ...good, Code: code }]);
    const { [field]: _absent, ...without } = next as Record<string, unknown>;
    quotes.applyTicks([{ ...good, Code: 'EURUSD', ...next, [field]: value }]);
    const { Open: _open, Change: _change, Time: _time, MarketStatus: _status, ...rest } = good;
    quotes.applyTicks([{ ...rest, Code: 'OTHER', ...without }]);
    expect(quotes.quote(0)).toEqual(quotes.quote(other));
    expect(quotes.quote(0).close).toBe(7);
  });

  it.each([
    undefined,
    null,
    1,
    'EURUSD',
    [[good]],
    [null, 1, 'x', []],
    { ...good, Code: 1 },
    { ...good, Code: 'XXX' },
  ])('that is invalid or unknown changes nothing (%#)', (payload) => {
    quotes.applyTicks(payload);
    expect(Number.isNaN(quotes.quote(0).close)).toBe(true);
    expect(moved).toBe(0);
  });

  it('may have any code', () => {
    quotes.applyTicks(JSON.parse('[{"Code":"__proto__","Close":"3","__proto__":{"Close":"4"}}]'));
    expect(quotes.quote(2).close).toBe(3);
    expect(({} as Record<string, unknown>)['Close']).toBeUndefined();
  });

  it('among invalid ones is applied', () => {
    quotes.applyTicks([{ Code: 'EURUSD' }, null, { ...good, Close: 'x' }, good, 7]);
    expect(quotes.quote(0).close).toBe(1.25);
  });

  it('never throws and never leaves an invalid price, for any message', () => {
    const value = fc.oneof(fc.anything(), fc.double(), fc.constantFrom('1.5', '-1', '1e5', ''));
    const row = fc.record(
      {
        Code: fc.constantFrom('EURUSD', '__proto__', 'x'),
        Close: value,
        Open: value,
        Change: value,
        Time: value,
        MarketStatus: value,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.array(row), row, fc.anything()), (payload) => {
        quotes.applyTicks(payload);
        for (const slot of [0, 2]) {
          const { close, open } = quotes.quote(slot);
          for (const price of [close, open])
            expect(Number.isNaN(price) || (price > 0 && price < Infinity)).toBe(true);
        }
      }),
    );
  });
});

describe('the table', () => {
  it('puts the changed quotes that are watched into one frame', () => {
    quotes.watch(0, true);
    quotes.collect();
    changed = 0;
    quotes.applyTicks([good, { ...good, Code: 'NZDUSD' }, { ...good, Close: '1.3' }]);
    expect(changed).toBe(1);
    expect(quotes.collect()).toHaveLength(7);
    expect(quotes.collect()).toBeUndefined();
  });

  it('requests no frame for a tick that changes nothing', () => {
    quotes.watch(0, true);
    quotes.applyTicks([good]);
    quotes.collect();
    changed = 0;
    for (let i = 0; i < 10; i++) quotes.applyTicks([good]);
    expect(changed).toBe(0);
  });

  it('calls only the listeners of its instrument, and only after a change', () => {
    const notified: number[] = [];
    quotes.listen(0, (slot) => notified.push(slot));
    const stop = quotes.listen(1, (slot) => notified.push(slot));
    quotes.applyTicks([good, good, { ...good, Code: 'NZDUSD' }]);
    expect(notified).toEqual([0, 1]);
    stop();
    quotes.applyTicks([{ ...good, Code: 'NZDUSD', Close: '2' }]);
    expect(notified).toEqual([0, 1]);
  });

  it('keeps all quotes when it grows', () => {
    quotes.applyTicks([good]);
    for (let id = 10; id < 5000; id++) quotes.add(id, `C${id}`);
    quotes.applyTicks([tickRow(4999, 'C4999', '5')]);
    expect(quotes.quote(0).close).toBe(1.25);
    expect(quotes.quote(quotes.slot('C4999') ?? -1).close).toBe(5);
    expect(quotes.snapshot()).toHaveLength(quotes.size * 7);
  });
});
