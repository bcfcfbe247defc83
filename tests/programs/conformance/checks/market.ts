import * as market from '#domain/api/market';
import { parseDecimal, toText } from '#domain/core/decimal';
import { change } from '#domain/market/change';
import { minutesOf } from '#domain/market/hours';
import { PERIOD_SECONDS, PERIODS, type Period } from '#domain/market/period';
import type { Check } from '../check';
import { expectSame, expectThat, Skipped } from '../expectations';
import type { Target } from '../target';

const LONGEST = 500;

/** Market calls (protocol.md#market-calls). */
export const marketCalls: readonly Check[] = [
  {
    section: 'instrument-list',
    name: 'ids and codes are unique, and every category exists',
    async run(target) {
      const all = await target.instruments();
      expectThat(all.length > 0, 'the list is empty');
      expectSame('ids', new Set(all.map(({ Id }) => Id)).size, all.length);
      expectSame('codes', new Set(all.map(({ Code }) => Code)).size, all.length);
      const categories = await target.ask(market.categoryList);
      const known = new Set(categories.map(({ Id }) => Id));
      const lost = all.filter(({ CategoryId }) => !known.has(CategoryId));
      expectSame(
        'instruments of no category',
        lost.map(({ Code }) => Code),
        [],
      );
    },
  },
  {
    section: 'instrument',
    name: 'Change is that of Close since Open, and prices keep to PricePrecision',
    async run(target) {
      for (const { Code, ForexQuotations, PricePrecision } of await target.instruments()) {
        const { Open, Close, Change } = ForexQuotations;
        if (Number(Open) === 0) continue;
        const expected = toText(change(Number(Close), Number(Open)));
        expectSame(`the change of ${Code}`, Number(Change), Number(expected));
        const { scale = 0 } = parseDecimal(Close) ?? {};
        expectThat(scale <= PricePrecision, `${Code} has the price ${Close}`);
      }
    },
  },
  {
    section: 'instrument-list',
    name: 'searchCurrency finds a part of the code, in any case',
    async run(target) {
      const { Code } = await target.openInstrument();
      for (const searchCurrency of [Code, Code.toLowerCase(), Code.slice(1, -1)]) {
        const found = await target.ask(market.instrumentList, {
          searchCurrency,
        });
        expectThat(
          found.some((row) => row.Code === Code),
          `${searchCurrency} does not find ${Code}`,
        );
      }
      const none = await target.ask(market.instrumentList, {
        searchCurrency: 'no such instrument',
      });
      expectSame('what nothing has', none.length, 0);
    },
  },
  {
    section: 'hours',
    feature: 'hours',
    name: 'hours are times of a day, and each opening is before its close',
    async run(target) {
      for (const { Code, Hours } of await target.instruments()) {
        for (const { Day, Open, Close } of Hours ?? []) {
          expectThat(Day >= 0 && Day <= 6, `${Code} opens on day ${Day}`);
          const [open, close] = [minutesOf(Open), minutesOf(Close)];
          const inOrder = open !== undefined && close !== undefined && open < close;
          expectThat(inOrder, `${Code} opens at ${Open} and closes at ${Close}`);
        }
      }
    },
  },
  {
    section: 'overnight-financing',
    feature: 'swap',
    name: 'a night costs an amount on each side, and the triple one is a weekday',
    async run(target) {
      for (const { Code, SwapLong, SwapShort, SwapTriple } of await target.instruments()) {
        if (SwapLong === undefined && SwapShort === undefined) continue;
        for (const amount of [SwapLong, SwapShort]) {
          expectThat(parseDecimal(amount) !== undefined, `a night of ${Code} costs ${amount}`);
        }
        const isDay = SwapTriple === undefined || (SwapTriple >= 0 && SwapTriple <= 6);
        expectThat(isDay, `the triple night of ${Code} is of day ${SwapTriple}`);
      }
    },
  },
  {
    section: 'sparklines',
    name: 'there are at most 60 closes, by id; an unknown id is refused',
    async run(target) {
      const ids = (await target.instruments()).slice(0, 3).map(({ Id }) => Id);
      const rows = await target.ask(market.sparklines, {
        forex_id: ids.join(','),
      });
      expectSame('the ids', Object.keys(rows).map(Number).sort(byNumber), ids.sort(byNumber));
      for (const closes of Object.values(rows)) {
        expectThat(closes.length <= 60, `there are ${closes.length} closes`);
      }
      const { code } = await target.call(market.sparklines, { forex_id: UNKNOWN_ID });
      expectThat(code !== 1, 'an unknown id is not refused');
    },
  },
  ...PERIODS.map((period) => ({
    section: 'klines',
    name: `bars of ${period} are aligned, in order, whole, and at most 500`,
    async run(target: Target) {
      const { Id } = await target.openInstrument();
      const bars = await klines(target, Id, period);
      expectThat(bars.length > 0, 'there is no bar');
      expectBars(bars, period);
      const [oldest] = bars;
      if (!oldest) return;
      const earlier = await klines(target, Id, period, oldest.Time);
      expectBars(earlier, period);
      expectThat(
        earlier.every(({ Time }) => Time < oldest.Time),
        'before gives bars that do not begin before it',
      );
    },
  })),
  {
    section: 'klines',
    name: 'bars of five minutes are the fold of their minutes',
    async run(target) {
      const { Id } = await target.openInstrument();
      const minutes = await klines(target, Id, '1min');
      const fives = await klines(target, Id, '5min');
      const first = minutes[0]?.Time ?? Number.POSITIVE_INFINITY;
      const last = minutes.at(-1)?.Time ?? 0;
      const whole = fives.filter(({ Time }) => Time >= first && Time + 300 <= last);
      if (whole.length === 0) throw new Skipped('there is no whole bar of five minutes yet');
      for (const five of whole) {
        const parts = minutes.filter(({ Time }) => Time >= five.Time && Time < five.Time + 300);
        const prices = (side: 'High' | 'Low') => parts.map((bar) => Number(bar[side]));
        expectSame(
          `the bar of ${five.Time}`,
          [five.Open, five.High, five.Low, five.Close].map(Number),
          [
            Number(parts[0]?.Open),
            Math.max(...prices('High')),
            Math.min(...prices('Low')),
            Number(parts.at(-1)?.Close),
          ],
        );
      }
    },
  },
  {
    section: 'klines',
    name: 'an unknown instrument and an unknown period are refused',
    async run(target) {
      const { Id } = await target.openInstrument();
      for (const params of [
        { forex_id: UNKNOWN_ID, period: '1min' },
        { forex_id: Id, period: '7min' },
      ]) {
        const { code } = await target.call(market.klines, params);
        expectThat(code !== 1, `${JSON.stringify(params)} is not refused`);
      }
    },
  },
];

const UNKNOWN_ID = 987_654_321;

function byNumber(a: number, b: number): number {
  return a - b;
}

async function klines(
  target: Target,
  id: number,
  period: Period,
  before?: number,
): Promise<market.KlineRow[]> {
  const params = { forex_id: id, period, ...(before === undefined ? {} : { before }) };
  return target.ask(market.klines, params);
}

function expectBars(bars: readonly market.KlineRow[], period: Period): void {
  expectThat(bars.length <= LONGEST, `there are ${bars.length} bars`);
  for (const [index, bar] of bars.entries()) {
    const { Time } = bar;
    expectSame(`${Time} modulo the period`, Time % PERIOD_SECONDS[period], 0);
    const previous = bars[index - 1];
    expectThat(!previous || previous.Time < Time, `${Time} is not after the bar before it`);
    const [open, high, low, close] = [bar.Open, bar.High, bar.Low, bar.Close].map(Number) as [
      number,
      number,
      number,
      number,
    ];
    expectThat(
      low <= Math.min(open, close) && high >= Math.max(open, close),
      `high and low of ${Time} do not enclose open and close`,
    );
  }
}
