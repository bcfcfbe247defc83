import { expect, it } from 'vitest';
import { type Result, success } from '#domain/core/result';
import { toUnixSeconds, type UnixSeconds } from '#domain/core/time';
import { Bars } from '../../../workers/market/bars';
import type { History } from '../../../workers/market/history';
import { Series } from '../../../workers/market/series';
import { FakeClock } from '../support/fakeClock';
import { PageChart } from '../support/pageChart';

/** Minutes of a market, by number. */
function minutes(from: number, to: number): Bars {
  const bars = new Bars();
  for (let minute = from; minute < to; minute++) {
    const time = toUnixSeconds(minute * 60);
    bars.put({ time, open: 1, high: 1, low: 1, close: 1, volume: 1 });
  }
  return bars;
}

it('older bars that come after the market was set back are not put in front of the new ones', async () => {
  const clock = new FakeClock();
  let newest = minutes(100, 110);
  let release: (older: Result<Bars>) => void = () => {};
  const history: History = {
    page: async (_period, _signal, before?: UnixSeconds) =>
      before === undefined
        ? success(newest)
        : new Promise<Result<Bars>>((resolve) => {
            release = resolve;
          }),
    reach: async (_period, bars) => success({ bars, reached: true }),
    complete: async () => success(true),
  };
  const series = new Series(
    1,
    clock,
    history,
    { load: async () => undefined, save() {} },
    () => {},
  );
  series.watch('1min', 'page');
  series.load();
  await clock.advance(0);
  const older = series.loadOlder('1min');
  newest = minutes(40, 50);
  series.reset();
  await clock.advance(0);
  release(success(minutes(90, 100)));
  await older;
  const page = new PageChart();
  const candles: Parameters<Series['collect']>[1] = [];
  series.collect('page', candles);
  for (const each of candles) page.apply(each);
  expect(page.bars.map(({ time }) => time / 60)).toEqual([40, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
});
