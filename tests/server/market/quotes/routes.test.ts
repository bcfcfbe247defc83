import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { InstrumentRow, KlineRow } from '#domain/api/market';
import { toDecimal } from '#domain/core/decimal';
import { timeAfter, toDurationMs, toUnixMs } from '#domain/core/time';
import { quoteRoutes } from '../../../../server/market/quotes/routes';
import { changeText, volumeText } from '../../../../server/market/quotes/rows';
import { send, serve } from '../../http/testHttp';
import { instrument, ScriptedMarket } from '../../support/scriptedMarket';

/** Hours of an instrument that never closes. */
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6].map((Day) => ({ Day, Open: '00:00', Close: '24:00' }));
/** Said, as a missing side of a polled list may stand for what was known before. */
const NO_BOOK = { Bid: '0', Ask: '0' };
const START = Date.UTC(2026, 0, 31);
const MINUTES = 1_600;

let url: string;
let app: FastifyInstance;
let market: ScriptedMarket;

const get = async <T>(
  path: string,
  lang = 'en',
): Promise<{ code: number; msg: string; data: T }> => {
  const { status, text } = await send(`${url}/v1/api/forex/${path}`, { headers: { lang } });
  expect(status).toBe(200);
  return JSON.parse(text);
};

beforeAll(async () => {
  market = new ScriptedMarket(
    [
      instrument(1, 'EURUSD', { name: 'Euro' }),
      instrument(2, 'XAUUSD', {
        name: 'Gold',
        precision: 2,
        logo: 'https://example.com/gold.png',
        marginMode: 'fixed',
        leverages: [],
        lotStep: toDecimal('1.0') as never,
      }),
      instrument(3, 'NZDUSD'),
    ],
    toUnixMs(START),
  );
  for (let minute = 0; minute < MINUTES; minute++) {
    await market.tick([1, 1.38 + minute / 100_000], [2, 1290 + minute / 100]);
    market.time = timeAfter(market.time, toDurationMs(60_000));
  }
  await market.tick([1, 1.5]);
  market.setOpen(2, false, toUnixMs(Date.UTC(2026, 1, 2)));
  ({ url, app } = await serve((server) => quoteRoutes(server, market)));
});
afterAll(() => app.close());

describe('trade_list', () => {
  it('has the reason of a market closed outside its schedule, in the requested language', async () => {
    const quote = market.quote(1);
    if (!quote) throw new Error('it was traded');
    const closed = { ...quote, marketOpen: false, closedReason: 'halted' } as const;
    const quotes = vi.spyOn(market, 'quote').mockReturnValue(closed);
    const [english] = (await get<InstrumentRow[]>('trade_list')).data;
    const [german] = (await get<InstrumentRow[]>('trade_list', 'de')).data;
    quotes.mockRestore();
    expect(english).toMatchObject({
      MarketStatus: 0,
      ClosedReason: 'Trading in this instrument is suspended',
    });
    expect(german?.ClosedReason).toBe('Der Handel mit diesem Instrument ist ausgesetzt');
  });

  it('names the exchange whose prices do not come, and since when', async () => {
    const quote = market.quote(1);
    if (!quote) throw new Error('it was traded');
    const reasonSince = async (since: number) => {
      const closedReason = { feed: 'Kraken', since: toUnixMs(since) };
      const quotes = vi
        .spyOn(market, 'quote')
        .mockReturnValue({ ...quote, marketOpen: false, closedReason });
      const [row] = (await get<InstrumentRow[]>('trade_list')).data;
      quotes.mockRestore();
      return row?.ClosedReason;
    };
    const today = market.time - 60_000;
    const clock = new Date(today).toISOString().slice(11, 16);
    expect(await reasonSince(today)).toBe(`No prices from Kraken since ${clock} UTC`);
    expect(await reasonSince(Date.UTC(2026, 0, 2, 3, 4))).toBe(
      'No prices from Kraken since 2026-01-02 03:04 UTC',
    );
  });

  it('has bid and ask where the feed has them', async () => {
    const quote = market.quote(1);
    if (!quote) throw new Error('it was traded');
    const quotes = vi.spyOn(market, 'quote').mockReturnValue({ ...quote, bid: 1.4, ask: 1.6 });
    const [row] = (await get<InstrumentRow[]>('trade_list')).data;
    quotes.mockRestore();
    expect(row?.ForexQuotations).toMatchObject({ Bid: '1.40000', Ask: '1.60000' });
  });

  it('has every instrument, in order, with numbers as text', async () => {
    const { code, data } = await get<InstrumentRow[]>('trade_list');
    expect(code).toBe(1);
    expect(data).toEqual([
      {
        Id: 1,
        Code: 'EURUSD',
        ShowCode: 'Euro',
        Logo: '',
        CategoryId: 1,
        MarketStatus: 1,
        PricePrecision: 5,
        Pip: '0.01',
        ForexMinCont: '0.01',
        ForexContNum: '100000',
        MarginMode: 2,
        HasForexMultiple: [{ Value: '50' }, { Value: '100' }],
        ForexFeeRate: '3',
        Hours: EVERY_DAY,
        ForexQuotations: {
          ...NO_BOOK,
          Open: '1.38000',
          Close: '1.50000',
          Change: '8.70',
          Time: market.time,
        },
        NextOpen: '',
      },
      {
        Id: 2,
        Code: 'XAUUSD',
        ShowCode: 'Gold',
        Logo: 'https://example.com/gold.png',
        CategoryId: 1,
        MarketStatus: 0,
        PricePrecision: 2,
        Pip: '1',
        ForexMinCont: '0.01',
        ForexContNum: '100000',
        MarginMode: 1,
        HasForexMultiple: [],
        ForexFeeRate: '3',
        Hours: EVERY_DAY,
        ForexQuotations: {
          ...NO_BOOK,
          Open: '1290.00',
          Close: '1305.99',
          Change: '1.24',
          Time: market.time - 60_000,
        },
        NextOpen: '2026-02-02T00:00:00.000Z',
      },
      expect.objectContaining({
        Id: 3,
        MarketStatus: 0,
        ForexQuotations: { ...NO_BOOK, Open: '0', Close: '0', Change: '0.00' },
        NextOpen: '',
      }),
    ]);
    expect(JSON.stringify(data)).not.toContain('null');
  });

  it.each([
    ['eur', [1]],
    ['EURO', [1]],
    ['Ｅｕｒ', [1]],
    ['usd', [1, 2, 3]],
    ['  gold ', [2]],
    ['d/u', [3]],
    ['', [1, 2, 3]],
    ['nothing', []],
    ['%', []],
    ["' or 1=1 --", []],
  ])('searchCurrency=%j finds %j', async (text, ids) => {
    const { data } = await get<InstrumentRow[]>(
      `trade_list?searchCurrency=${encodeURIComponent(text)}`,
    );
    expect(data.map(({ Id }) => Id)).toEqual(ids);
  });
});

it('getCategories has names in the language of the user', async () => {
  expect(await get('getCategories')).toMatchObject({
    code: 1,
    data: [{ Id: 1, NameShowTrans: 'Forex' }],
  });
});

describe('kline', () => {
  it('has the last 500, oldest first, the last one open', async () => {
    const { data } = await get<KlineRow[]>('kline?forex_id=1&period=1min');
    expect(data).toHaveLength(500);
    expect(data.at(-1)).toEqual({
      Time: market.time / 1000,
      Open: '1.50000',
      High: '1.50000',
      Low: '1.50000',
      Close: '1.50000',
      Volume: '1',
    });
    expect(data.map(({ Time }) => Time)).toEqual(
      Array.from({ length: 500 }, (_, i) => market.time / 1000 - (499 - i) * 60),
    );
  });

  it('has those before a time, and none before the first', async () => {
    const before = START / 1000 + 3 * 60;
    const { data } = await get<KlineRow[]>(`kline?forex_id=1&period=1min&before=${before}`);
    expect(data.map(({ Close }) => Close)).toEqual(['1.38000', '1.38001', '1.38002']);
    expect((await get(`kline?forex_id=1&period=1min&before=${START / 1000}`)).data).toEqual([]);
    expect((await get('kline?forex_id=1&period=1min&before=1')).data).toEqual([]);
  });

  it.each(['0', '4102444800'])('has the latest ones if before is %s', async (before) => {
    const latest = await get<KlineRow[]>('kline?forex_id=1&period=1min');
    expect(await get(`kline?forex_id=1&period=1min&before=${before}`)).toEqual(latest);
  });

  it('has larger periods, and no bars of what was never traded', async () => {
    const { data } = await get<KlineRow[]>('kline?forex_id=2&period=60min&before=');
    expect(data[0]).toMatchObject({
      Time: START / 1000,
      Open: '1290.00',
      Close: '1290.59',
      Volume: '60',
    });
    expect((await get('kline?forex_id=3&period=1day')).data).toEqual([]);
  });

  it.each([
    ['', 400],
    ['forex_id=1', 400],
    ['forex_id=1&period=', 400],
    ['forex_id=1&period=2min', 400],
    ['forex_id=1&period=1MIN', 400],
    ['forex_id=1&period=constructor', 400],
    ['period=1min', 400],
    ['forex_id=x&period=1min', 400],
    ['forex_id=1.5&period=1min', 400],
    ['forex_id=1&forex_id=2&period=1min', 400],
    ['forex_id=1&period=1min&before=-5', 400],
    ['forex_id=1&period=1min&before=2026-01-31', 400],
    ['forex_id=99&period=1min', 2],
  ])('?%s is refused with %i', async (query, code) => {
    const answer = await get(`kline?${query}`);
    expect(answer).toMatchObject({ code, data: null });
    expect(answer.msg).not.toBe('');
  });
});

describe('abbreviated_cache_kline', () => {
  it('has closes of the last day by id, oldest first', async () => {
    const { data } = await get<Record<string, string[]>>(
      'abbreviated_cache_kline?forex_id=2,1,3,1',
    );
    expect(Object.keys(data)).toEqual(['1', '2', '3']);
    expect(data['3']).toEqual([]);
    expect(data['1']).toHaveLength(48);
    expect(data['1']?.at(-1)).toBe('1.50000');
    expect(data['2']?.at(-1)).toBe('1305.99');
    expect([...(data['2'] ?? [])].sort()).toEqual(data['2']);
  });

  it('shows the last day of a market that has been closed for days', async () => {
    const { time } = market;
    market.time = timeAfter(time, toDurationMs(3 * 86_400_000));
    const { data } = await get<Record<string, string[]>>('abbreviated_cache_kline?forex_id=2');
    market.time = time;
    expect(data['2']).toHaveLength(48);
  });

  it('has at most 60, whatever the period', async () => {
    const closes = async (period: string) =>
      (await get<Record<string, string[]>>(`abbreviated_cache_kline?forex_id=1&period=${period}`))
        .data['1'];
    expect(await closes('1min')).toHaveLength(60);
    expect(await closes('60min')).toHaveLength(24);
    expect(await closes('1day')).toEqual(['1.50000']);
    expect(await closes('')).toHaveLength(48);
  });

  it.each([
    ['', 400],
    ['forex_id=', 400],
    ['forex_id=1,', 400],
    ['forex_id=1;2', 400],
    ['forex_id=1&period=x', 400],
    [`forex_id=${Array(101).fill(1).join(',')}`, 400],
    ['forex_id=1,99', 2],
  ])('?%.40s is refused with %i', async (query, code) => {
    expect(await get(`abbreviated_cache_kline?${query}`)).toMatchObject({ code, data: null });
  });

  it('accepts a hundred ids', async () => {
    expect(
      (await get(`abbreviated_cache_kline?forex_id=${Array(100).fill(1).join(',')}`)).code,
    ).toBe(1);
  });
});

it.each([
  [1.0005, 1, '0.05'],
  [1.00005, 1, '0.01'],
  [0.99995, 1, '-0.01'],
  [1.00004, 1, '0.00'],
  [2, 0, '0.00'],
])('the change to %f from %f is %s %%', (price, open, change) => {
  expect(changeText(price, open)).toBe(change);
});

it.each([
  [0, '0'],
  [12, '12'],
  [0.1 + 0.2, '0.3'],
  [1e-7, '0.0000001'],
])('a volume of %f is sent as %s', (volume, text) => {
  expect(volumeText(volume)).toBe(text);
});
