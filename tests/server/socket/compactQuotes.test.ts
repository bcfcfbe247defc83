import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CompactTickRow, TickRow } from '#domain/api/socket';
import { Quotes } from '../../../workers/market/quotes';
import { recordedCodes, recordedQuotes } from '../../helpers/recordedDay';
import { FakeClock } from '../support/fakeClock';
import type { ScriptedTick } from '../support/scriptedMarket';
import { startSockets, type TestClient, type TestSockets } from './testSockets';

let running: TestSockets;
let client: TestClient;
beforeEach(async () => {
  running = await startSockets();
  client = await running.connect();
});
afterEach(() => running.close());

const sub = (more: object = {}) => ({ type: 'sub', topic: 'DAY_MARKET', compact: 1, ...more });
const rows = (of = client) => of.data<CompactTickRow>('DM');

describe('compact rows', () => {
  it('have all fields at first, then only what changed', async () => {
    await running.market.tick([1, 1.38]);
    const { time } = running.market;
    await client.ask(sub());
    expect(rows()).toEqual([[1, '1.38000', time, '0', '1.38000', 1]]);
    expect(client.of('DAY_MARKET')).toEqual([]);

    client.forget();
    await running.market.tick([1, 1.39, 2], [1, 1.4]);
    running.market.setOpen(1, false);
    await client.settled();
    expect(rows()).toEqual([
      [1, '1.39000', time, '2'],
      [1, '1.40000', time + 1, '1'],
      [1, '1.40000', time + 1, '0', null, 0],
    ]);
  });

  it('have bid and ask where the feed has them and they changed', async () => {
    const { market } = running;
    const other = await running.connect();
    await other.ask({ ...sub(), compact: 0 });
    market.books.set(1, { bid: 1.37, ask: 1.39 });
    await market.tick([1, 1.38]);
    await client.ask(sub());
    const { time } = market;
    expect(rows()).toEqual([[1, '1.38000', time, '0', '1.38000', 1, '1.37000', '1.39000']]);
    client.forget();
    await market.tick([1, 1.4]);
    market.books.set(1, { bid: 1.38, ask: 1.39 });
    await market.tick([1, 1.41]);
    await client.settled();
    await other.settled();
    expect(rows()).toEqual([
      [1, '1.40000', time, '1'],
      [1, '1.41000', time, '1', null, null, '1.38000', '1.39000'],
    ]);
    expect(other.data<TickRow>('DAY_MARKET').at(-1)).toMatchObject({
      Bid: '1.38000',
      Ask: '1.39000',
    });
  });

  it('have the bid and ask of their own tick, where one batch has several', async () => {
    const { market } = running;
    const plain = await running.connect();
    const filtered = await running.connect();
    const at = (price: number): ScriptedTick => {
      return [1, price, 1, { bid: price - 0.01, ask: price + 0.01 }];
    };
    await market.tick(at(1.38));
    await client.ask(sub());
    await plain.ask({ ...sub(), compact: 0 });
    await filtered.ask(sub({ codes: ['EURUSD'] }));
    for (const reader of [client, plain, filtered]) reader.forget();
    // The last one is where it was before the batch.
    await market.tick(at(1.4), at(1.36), at(1.38));
    for (const reader of [client, plain, filtered]) await reader.settled();
    const sides = [
      ['1.40000', '1.39000', '1.41000'],
      ['1.36000', '1.35000', '1.37000'],
      ['1.38000', '1.37000', '1.39000'],
    ];
    for (const reader of [client, filtered]) {
      expect(rows(reader).map((row) => [row[1], row[6], row[7]])).toEqual(sides);
    }
    const told = plain.data<TickRow>('DAY_MARKET');
    expect(told.map(({ Close, Bid, Ask }) => [Close, Bid, Ask])).toEqual(sides);
  });

  it('tell bid and ask that change without a price, and that there are none any more', async () => {
    const { market } = running;
    const other = await running.connect();
    await market.tick([1, 1.38]);
    const { time } = market;
    await client.ask(sub());
    await other.ask({ ...sub(), compact: 0 });
    client.forget();
    market.topOfBook(1, { bid: 1.37, ask: 1.39 });
    market.topOfBook(1, undefined);
    await client.settled();
    await other.settled();
    expect(rows()).toEqual([
      [1, '1.38000', time, '0', null, null, '1.37000', '1.39000'],
      [1, '1.38000', time, '0', null, null, '0', '0'],
    ]);
    const told = other.data<TickRow>('DAY_MARKET').map(({ Bid, Ask }) => [Bid, Ask]);
    expect(told).toEqual([
      [undefined, undefined],
      ['1.37000', '1.39000'],
      ['0', '0'],
    ]);
  });

  it('have what changed since the last tick, whoever was sent the present state meanwhile', async () => {
    const { market } = running;
    const other = await running.connect();
    await market.tick([1, 1.38]);
    const { time } = market;
    await client.ask(sub());
    client.forget();
    market.books.set(1, { bid: 1.37, ask: 1.39 });
    await other.ask(sub());
    expect(rows(other)[0]?.slice(6)).toEqual(['1.37000', '1.39000']);
    await market.tick([1, 1.38]);
    await client.settled();
    expect(rows()).toEqual([[1, '1.38000', time, '1', null, null, '1.37000', '1.39000']]);
    // The other way round: one reader was sent what nobody else was told.
    market.books.set(1, { bid: 1.36, ask: 1.39 });
    const third = await running.connect();
    await third.ask(sub({ codes: ['EURUSD'] }));
    market.books.set(1, { bid: 1.37, ask: 1.39 });
    await market.tick([1, 1.38]);
    await third.settled();
    expect(rows(third).map((row) => row.slice(6))).toEqual([
      ['1.36000', '1.39000'],
      ['1.37000', '1.39000'],
    ]);
  });

  it('have all fields of an instrument in its first tick', async () => {
    await client.ask(sub());
    await running.market.tick([2, 0.87]);
    await client.settled();
    expect(rows()).toEqual([[2, '0.87000', running.market.time, '1', '0.87000', 1]]);
  });

  it('take at most 40 bytes', async () => {
    await running.market.tick([3, 64_321.5]);
    await client.ask(sub());
    client.forget();
    await running.market.tick([3, 64_322.25, 12_345]);
    await client.settled();
    expect(JSON.stringify(rows()[0]).length).toBeLessThanOrEqual(40);
  });

  it.each([{}, { codes: ['EURUSD'] }])(
    'are sent only to sockets that ask for them: %j',
    async (quoteFilter) => {
      const other = await running.connect();
      await client.ask(sub(quoteFilter));
      await other.ask({ ...sub(quoteFilter), compact: 0 });
      await running.market.tick([1, 1.38]);
      await client.settled();
      await other.settled();
      expect(rows()).toHaveLength(1);
      expect(other.data<TickRow>('DAY_MARKET')).toMatchObject([
        { Code: 'EURUSD', Close: '1.38000' },
      ]);
      expect(rows(other)).toEqual([]);
    },
  );

  it('sum volumes over an interval, and include changes within it', async () => {
    await running.market.tick([1, 1.38]);
    await client.ask(sub({ codes: ['EURUSD'], interval: 250 }));
    client.forget();
    await running.market.tick([1, 1.39, 3]);
    running.market.setOpen(1, false);
    running.clock.pass(250);
    await client.settled();
    expect(rows()).toEqual([[1, '1.39000', running.market.time, '3', null, 0]]);
  });
});

describe('both forms', () => {
  /** A table of quotes, filled by what a client received. */
  function tableOf(of: TestClient): Quotes {
    const quotes = new Quotes({
      clock: new FakeClock(),
      proven: () => true,
      changed: () => {},
      moved: () => {},
      marketChanged: () => {},
      reasonTold: () => {},
      finer: () => {},
      newest: () => {},
    });
    for (const { id, code } of running.market.instruments) quotes.add(id, code);
    for (const { type, data } of of.received) {
      if (type === 'DAY_MARKET') quotes.applyTicks(data);
      if (type === 'DM') quotes.applyCompactTicks(data);
    }
    return quotes;
  }

  it.each([
    ['every tick', {}],
    ['two instruments', { codes: ['EURUSD', 'NZDUSD'] }],
    ['an interval', { interval: 250 }],
  ])('of the recorded day give the same table: %s', async (_name, quoteFilter) => {
    const other = await running.connect();
    await client.ask(sub(quoteFilter));
    await other.ask({ ...sub(quoteFilter), compact: 0 });
    for (const [index, { code, bid }] of recordedQuotes().slice(0, 20_000).entries()) {
      running.market.pass(40);
      await running.market.tick([recordedCodes.indexOf(code as 'EURUSD') + 1, Number(bid)]);
      if (index % 100 === 0) running.clock.pass(250);
      if (index % 5_000 === 4_999) running.market.setOpen(1, index % 10_000 < 5_000);
      // A reader that falls behind gets its last rows after the pong that `settled` waits for.
      if (index % 100 === 99) await Promise.all([client.settled(), other.settled()]);
    }
    running.clock.pass(250);
    await client.settled();
    await other.settled();
    const [compact, full] = [tableOf(client), tableOf(other)];
    for (const slot of [0, 1]) {
      expect(compact.quote(slot)).toEqual(full.quote(slot));
      expect(compact.quote(slot).close).toBeGreaterThan(0);
    }
    const volumes = rows().reduce((sum, [, , , volume]) => sum + Number(volume), 0);
    expect(volumes).toBe(
      other.data<TickRow>('DAY_MARKET').reduce((sum, { Volume }) => sum + Number(Volume), 0),
    );
  });
});
