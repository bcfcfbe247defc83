import { beforeEach, expect, it } from 'vitest';
import { LANGUAGES } from '#domain/core/language';
import { secondOf, toUnixMs } from '#domain/core/time';
import { type Bar, barStart } from '#domain/market/kline';
import { news, newsTranslations } from '../../../server/db/schema';
import { createDailySummary } from '../../../server/news/dailySummary';
import { onEachDatabase } from '../support/database';
import { FakeClock } from '../support/fakeClock';
import { instrument } from '../support/scriptedMarket';
import { emptyTables } from '../support/tables';

const at = (hours: number, minutes = 0) => toUnixMs(Date.UTC(2026, 0, 31, hours, minutes));
const dayOf = (time: number) => barStart('1day', secondOf(toUnixMs(time)));
const YESTERDAY = dayOf(at(-1));

const EURUSD = instrument(1, 'EURUSD');
const GBPUSD = instrument(2, 'GBPUSD');
const CLOSED = instrument(3, 'USDJPY');
const GOLD = instrument(4, 'XAUUSD', { name: 'Gold <b>', precision: 2 });

const bar = (time: typeof YESTERDAY, open: number, close: number, volume = 1): Bar => ({
  time,
  open,
  high: Math.max(open, close) + 1,
  low: Math.min(open, close) - 1,
  close,
  volume,
});

onEachDatabase((database) => {
  let asked: number[];
  let bars: Map<number, Bar[]>;
  beforeEach(async () => {
    await emptyTables(database.db);
    asked = [];
    bars = new Map([
      [1, [bar(YESTERDAY, 2, 2.01)]],
      [2, [bar(YESTERDAY, 4, 3.9)]],
      // The last bar is that of another day.
      [3, [bar(dayOf(at(-30)), 150, 140)]],
      [4, [bar(YESTERDAY, 2000, 2100)]],
    ]);
  });

  const create = (clock: FakeClock) => {
    const errors: string[] = [];
    const summary = createDailySummary({
      db: database.db,
      market: {
        instruments: [EURUSD, GBPUSD, CLOSED, GOLD],
        async bars(id, period, limit, before) {
          asked.push(id);
          expect(period).toBe('1day');
          return (bars.get(id) ?? [])
            .filter(({ time }) => before === undefined || time < before)
            .slice(-limit);
        },
      },
      clock,
      log: { info() {}, warn() {}, error: (text) => errors.push(text) },
    });
    return { summary, errors };
  };
  const start = async (clock: FakeClock) => {
    const { summary, errors } = create(clock);
    await summary.start();
    expect(asked).toEqual([]);
    await advance(clock, 0);
    return { stop: () => summary.stop(), errors };
  };
  /** Each run has ended once the next one is awaited. */
  const advance = (clock: FakeClock, ms: number) => clock.advance(ms, () => clock.awaited);
  const posted = () => database.db.select().from(news).orderBy(news.id);

  it('sums up the last day from its bars, in every language', async () => {
    const { stop } = await start(new FakeClock(at(8)));
    const [article] = await posted();
    expect(article).toMatchObject({
      categoryId: 1,
      title: 'Markets on January 30, 2026',
      desc: '3 instruments traded: 2 up, 1 down. Largest move: Gold <b> +5.00%.',
      createdAt: new Date(at(8)),
    });
    expect(article?.content).toContain(
      '<tr><th>Instrument</th><th>Change</th><th>Day’s range</th></tr>',
    );
    const rows = article?.content.match(/<tr><td>.*?<\/tr>/g);
    const [gains, losses] = article?.content.split('Largest losses') ?? [];
    expect(rows).toHaveLength(3);
    expect(gains).toContain(
      '<td>Gold &#60;b&#62;</td><td>+5.00%</td><td>\u20661,999.00 – 2,101.00\u2069</td>',
    );
    expect(gains).toMatch(/Gold.*EUR\/USD/);
    expect(losses).toContain('<td>GBP/USD</td><td>-2.50%</td>');
    const translations = await database.db.select().from(newsTranslations);
    expect(translations.map(({ language }) => language).sort()).toEqual(
      LANGUAGES.filter((language) => language !== 'en').sort(),
    );
    const of = (language: string) => translations.find((each) => each.language === language);
    expect(of('hk')?.title).toBe('2026年1月30日市場回顧');
    expect(of('ru')?.desc).toContain('Торговались 3 инструмента: рост — 2, снижение — 1.');
    expect(of('ar')?.desc).toContain('تُدوولت 3 أدوات');
    await stop();
  });

  it('posts a day once, five minutes after its end, also when the server starts again', async () => {
    const clock = new FakeClock(at(23, 59));
    const first = await start(clock);
    expect(await posted()).toHaveLength(1);
    const today = dayOf(at(8));
    for (const id of [1, 2]) bars.get(id)?.push(bar(today, 2, 2.5));
    await advance(clock, 5 * 60_000);
    expect(await posted()).toHaveLength(1);
    await advance(clock, 2 * 60_000);
    await first.stop();
    asked = [];
    const second = await start(clock);
    await advance(clock, 10 * 60_000);
    await second.stop();
    expect((await posted()).map(({ title }) => title)).toEqual([
      'Markets on January 30, 2026',
      'Markets on January 31, 2026',
    ]);
  });

  it('posts nothing of a day without trades, and asks for its bars once', async () => {
    bars.clear();
    bars.set(1, [bar(YESTERDAY, 2, 2, 0)]);
    const clock = new FakeClock(at(8));
    const { stop } = await start(clock);
    await advance(clock, 10 * 60_000);
    await stop();
    expect(await posted()).toHaveLength(0);
    expect(asked).toEqual([1, 2, 3, 4]);
  });

  it('ends with the server, without the rest of the instruments', async () => {
    const clock = new FakeClock(at(8));
    const { summary } = create(clock);
    await summary.start();
    let ended: Promise<void> | undefined;
    bars.get = () => {
      ended = summary.stop();
      return [bar(YESTERDAY, 2, 2.01)];
    };
    await clock.until(() => ended !== undefined);
    await ended;
    expect(asked).toEqual([1]);
    expect(await posted()).toHaveLength(0);
  });

  it('logs a failure, and tries again', async () => {
    const clock = new FakeClock(at(8));
    const failing = bars;
    bars = new Map();
    bars.get = () => {
      throw new Error('no feed');
    };
    const { stop, errors } = await start(clock);
    expect(errors).toEqual([expect.stringContaining('daily summary: Error: no feed')]);
    bars = failing;
    await advance(clock, 60_000);
    await stop();
    expect(await posted()).toHaveLength(1);
  });
});
