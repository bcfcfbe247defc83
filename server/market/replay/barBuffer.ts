import { secondOf, type UnixMs } from '#domain/core/time';
import { addVolume, type Bar, barFromTick, barStart, foldTick } from '#domain/market/kline';
import { PERIODS, type Period } from '#domain/market/period';
import type { Tick } from '../market';
import type { StoredBar } from '../storedBars';

interface Series {
  last: StoredBar | undefined;
  unsaved: StoredBar[];
}

type SeriesByPeriod = Record<Period, Series>;

/** Bars that ticks still change, and bars that are not saved yet. */
export class BarBuffer {
  private readonly series = new Map<number, SeriesByPeriod>();

  /** Restores the open bars that were saved. */
  restore(entries: readonly StoredBar[]): void {
    for (const entry of entries) this.seriesOf(entry.instrumentId)[entry.period].last = entry;
  }

  fold({ instrumentId, price, volume, time }: Tick): void {
    const byPeriod = this.seriesOf(instrumentId);
    for (const period of PERIODS) {
      const series = byPeriod[period];
      const start = barStart(period, secondOf(time));
      if (series.last?.bar.time === start) {
        foldTick(series.last.bar, price, volume);
        series.last.ticked = time;
      } else {
        const bar = barFromTick(start, price, volume);
        series.last = { instrumentId, period, bar, ticked: time };
      }
      if (series.unsaved.at(-1) !== series.last) series.unsaved.push(series.last);
    }
  }

  /** Puts a whole minute in the place of what ticks have told of it. */
  replaceMinute(instrumentId: number, minute: Bar, ticked: UnixMs): void {
    const byPeriod = this.seriesOf(instrumentId);
    const known = byPeriod['1min'].last?.bar;
    const told = known?.time === minute.time ? known.volume : 0;
    for (const period of PERIODS) {
      const series = byPeriod[period];
      const time = barStart(period, minute.time);
      if (series.last?.bar.time === time) {
        const { bar } = series.last;
        if (time === minute.time) bar.open = minute.open;
        bar.high = Math.max(bar.high, minute.high);
        bar.low = Math.min(bar.low, minute.low);
        bar.close = minute.close;
        bar.volume =
          period === '1min' ? minute.volume : addVolume(bar.volume, minute.volume - told);
        series.last.ticked = ticked;
      } else {
        series.last = { instrumentId, period, bar: { ...minute, time }, ticked };
      }
      if (series.unsaved.at(-1) !== series.last) series.unsaved.push(series.last);
    }
  }

  /** The newest bar of a period. */
  last(instrumentId: number, period: Period): StoredBar | undefined {
    return this.series.get(instrumentId)?.[period].last;
  }

  unsaved(): StoredBar[] {
    const entries: StoredBar[] = [];
    for (const byPeriod of this.series.values()) {
      for (const period of PERIODS) entries.push(...byPeriod[period].unsaved);
    }
    return entries;
  }

  unsavedOf(instrumentId: number, period: Period): StoredBar[] {
    return this.series.get(instrumentId)?.[period].unsaved ?? [];
  }

  /** All bars have been saved. */
  saved(): void {
    for (const byPeriod of this.series.values()) {
      for (const period of PERIODS) byPeriod[period].unsaved = [];
    }
  }

  private seriesOf(instrumentId: number): SeriesByPeriod {
    let byPeriod = this.series.get(instrumentId);
    if (!byPeriod) {
      byPeriod = Object.fromEntries(
        PERIODS.map((period) => [period, { last: undefined, unsaved: [] }]),
      ) as unknown as SeriesByPeriod;
      this.series.set(instrumentId, byPeriod);
    }
    return byPeriod;
  }
}
