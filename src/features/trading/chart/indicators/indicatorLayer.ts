import { signal } from '@preact/signals-core';
import {
  HistogramSeries,
  type IPrimitivePaneRenderer,
  type ISeriesApi,
  type ISeriesPrimitive,
  type PriceFormat,
  type Time,
} from 'lightweight-charts';
import {
  INDICATORS,
  type IndicatorSpec,
  indicatorKey,
  lineShifts,
} from '#domain/indicators/catalogue';
import type { Candles } from '#domain/market/candles';
import { INDICATOR_STYLES, type IndicatorStyle } from '../../../../instruments/indicatorStyle';
import { THROTTLE_MS, throttle } from '../../../../ui/throttle';
import type { ChartExtra, ChartParts, Figure } from '../chartParts';
import type { Stretch } from '../heldBars';
import { type PriceRange, smallestMove } from '../lineScale';
import { createSheet, type Sheet, type SheetScale, viewOf } from '../sheet';
import { type Painted, paintIndicator, paintLevels, type Stage } from './paint';
import { Values } from './values';

/** An indicator as it is drawn. */
export interface DrawnIndicator extends IndicatorSpec {
  id: number;
  /** With its parameters, as traders write it. */
  name: string;
  /** Of each line, as a canvas reads it. */
  colours: readonly string[];
  /** Height of its pane, that of the bars' pane counted as three. Undefined: the usual one. */
  height?: number | undefined;
  /** Of its values, as `format` writes them. */
  decimals: number;
  format(value: number): string;
}

/** Where a pane below the bars begins, px from the top of the chart. */
export interface PanePlace {
  id: number;
  top: number;
}

/** Height of the bars' pane against that of one below it. */
const PRICE_SHARE = 3;
/** The axis includes lines within this many heights of the bars; beyond, the bars would become too flat. */
const NEAR = 0.5;
/** Between two panes, px. */
const SEPARATOR = 1;
interface Entry extends Painted {
  id: number;
  key: string;
  place: 'price' | 'pane';
  style: IndicatorStyle;
  name: string;
  height: number;
  decimals: number;
  format(value: number): string;
}

/** What converts values to heights. */
type Scaled = Pick<ISeriesApi<'Histogram'>, 'priceToCoordinate'>;

interface Pane {
  entry: Entry;
  /** It only has a scale: nothing of it is seen. */
  series: ISeriesApi<'Histogram'>;
  sheet: Sheet;
}

/**
 * Draws indicators on the library's canvas, whose pane is repainted only once a bar, and their moving end above it: over
 * the price with the moving bar, in other panes on a canvas of its own, as often as figures are written: an average that stands still while the price moves looks broken. Depends on
 * nothing but the chart.
 */
export class IndicatorLayer implements ChartExtra {
  /** The panes below the bars, from above. */
  readonly places = signal<readonly PanePlace[]>([]);
  /** Height of all of them with their separators, px. */
  readonly lower = signal(0);
  /** Changes when the values of bars have changed that may not be the last ones. */
  readonly revision = signal(0);
  #parts: ChartParts | undefined;
  #entries: readonly Entry[] = [];
  readonly #values = new Map<string, Values>();
  #panes: Pane[] = [];
  #levelColour = '';
  #detach = () => {};
  readonly #throttled = throttle((end: number) => this.#paintPanes(end), THROTTLE_MS);

  /** Sets what is drawn. */
  show(indicators: readonly DrawnIndicator[], levelColour: string): void {
    this.#levelColour = levelColour;
    const keys = new Set(indicators.map(indicatorKey));
    for (const key of this.#values.keys()) if (!keys.has(key)) this.#values.delete(key);
    this.#entries = indicators.map((indicator) => ({
      ...indicator,
      key: indicatorKey(indicator),
      place: INDICATORS[indicator.kind].place,
      style: INDICATOR_STYLES[indicator.kind],
      height: indicator.height ?? 1,
      decimals: indicator.decimals,
      values: this.#valuesOf(indicator),
      shifts: lineShifts(indicator),
    }));
    this.#makePanes();
    this.#parts?.rescale();
  }

  #valuesOf(spec: IndicatorSpec): Values {
    const key = indicatorKey(spec);
    const known = this.#values.get(key);
    if (known) return known;
    const values = new Values(INDICATORS[spec.kind].lines.length);
    this.#values.set(key, values);
    return values;
  }

  /** The values that are drawn at a bar, one for each line; NaN: none. */
  valuesAt(id: number, index: number): readonly number[] {
    const entry = this.#entries.find((each) => each.id === id);
    if (!entry) return [];
    return entry.style.shapes.map((_, line) =>
      entry.values.at(index - (entry.shifts[line] ?? 0), line),
    );
  }

  figures(index: number): Figure[] {
    return this.#entries.map(({ id, name, format }) => {
      const values = this.valuesAt(id, index).filter((value) => !Number.isNaN(value));
      return { name, text: values.map(format).join(' ') };
    });
  }

  receive({ indicators }: Candles, bars: number): void {
    let all = false;
    for (const change of indicators ?? []) {
      this.#values.get(change.key)?.apply(change, bars);
      all ||= change.change === 'replace';
    }
    if (!all) return;
    this.revision.value += 1;
    this.#parts?.rescale();
  }

  /** All bars are other ones. */
  clear(): void {
    for (const [key, { width }] of this.#values) this.#values.set(key, new Values(width));
    this.#entries = this.#entries.map((entry) => ({
      ...entry,
      values: this.#values.get(entry.key) ?? entry.values,
    }));
    for (const pane of this.#panes)
      pane.entry = this.#entries.find(({ id }) => id === pane.entry.id) ?? pane.entry;
  }

  attach(parts: ChartParts | undefined): void {
    this.#detach();
    this.#detach = () => {};
    this.#throttled.end();
    this.#parts = parts;
    this.#panes = [];
    if (!parts) return;
    const renderer = this.#renderer(parts.candles, (stage, from, to) =>
      this.#paintPrices(stage, from, to),
    );
    const views = [{ renderer: () => renderer }];
    const primitive: ISeriesPrimitive<Time> = {
      paneViews: () => views,
      updateAllViews: () => this.#measure(),
    };
    parts.candles.attachPrimitive(primitive);
    parts.atEnd((context, scale) => {
      const stage = this.#stage(context, scale, parts.candles);
      if (stage) this.#paintPrices(stage, this.#end() - 1, this.#end());
    });
    parts.include((bars) => this.#priceRange(bars));
    parts.onHeld(() => this.#carry());
    this.#detach = () => {
      parts.include(undefined);
      parts.onHeld(undefined);
      parts.atEnd(undefined);
      parts.candles.detachPrimitive(primitive);
      this.#removePanes(parts);
    };
    this.#makePanes();
  }

  /** The last values have changed, and the library does not paint. */
  paint(): void {
    // Over the price they are drawn with the moving bar.
    if (this.#panes.length > 0) this.#throttled.call(this.#end());
  }

  #paintPanes(end: number): void {
    if (!this.#parts || end < 1) return;
    for (const { entry, series } of this.#panes) {
      const axis = series.priceScale();
      // It stays as it is where the user has scaled it.
      if (!axis.options().autoScale) continue;
      const height = series.getPane().getHeight();
      const ends = entry.style.shapes.map((_, line) => entry.values.at(end, line));
      const outside = ends.some((value) => {
        const y = Number.isNaN(value) ? null : series.priceToCoordinate(value);
        return y !== null && (y < 0 || y > height);
      });
      if (outside) axis.applyOptions({ autoScale: true });
    }
    for (const { entry, series, sheet } of this.#panes)
      this.#paintEnd(sheet, series, (stage, from, to) => paintIndicator(stage, entry, from, to));
  }

  #paintPrices(stage: Stage, from: number, to: number): void {
    for (const entry of this.#entries)
      if (entry.place === 'price') paintIndicator(stage, entry, from, to);
  }

  /** Paints everything but the end on the library's canvas. */
  #renderer(
    series: Scaled,
    paint: (stage: Stage, from: number, to: number) => void,
    levels: readonly number[] = [],
  ): IPrimitivePaneRenderer {
    return {
      draw: (target) => {
        target.useBitmapCoordinateSpace(({ context, ...scale }) => {
          const stage = this.#stage(context, scale, series);
          if (!stage) return;
          paintLevels(stage, levels, this.#levelColour);
          paint(stage, 0, this.#end() - 1);
        });
      },
    };
  }

  #paintEnd(
    sheet: Sheet,
    series: Scaled,
    paint: (stage: Stage, from: number, to: number) => void,
  ): void {
    sheet.draw((context, scale) => {
      const stage = this.#stage(context, scale, series);
      if (stage) paint(stage, this.#end() - 1, this.#end());
    });
  }

  /** What the moving end of a pane covers: two bars, with the columns and dots of both. */
  #endOf({ shifts }: Entry, { horizontalPixelRatio }: SheetScale): Stretch | undefined {
    const end = this.#end();
    const first = this.#parts?.xOf(end - 1 + Math.min(0, ...shifts));
    const last = this.#parts?.xOf(end + Math.max(0, ...shifts));
    const before = this.#parts?.xOf(end - 1);
    const newest = this.#parts?.xOf(end);
    if (first === undefined || last === undefined || before === undefined || newest === undefined)
      return undefined;
    const beside = newest - before + 2;
    return {
      from: (first - beside) * horizontalPixelRatio,
      to: (last + beside) * horizontalPixelRatio,
    };
  }

  /** Index of the newest bar. */
  #end(): number {
    return (this.#parts?.bars()?.length ?? 0) - 1;
  }

  #stage(
    context: CanvasRenderingContext2D,
    { horizontalPixelRatio: across, verticalPixelRatio: down, bitmapSize }: SheetScale,
    series: Scaled,
  ): Stage | undefined {
    const parts = this.#parts;
    const sight = parts?.inSight();
    const first = sight && parts?.xOf(Math.floor(sight.from));
    const next = sight && parts?.xOf(Math.floor(sight.from) + 1);
    if (!parts || !sight || first === undefined || next === undefined || this.#end() < 1)
      return undefined;
    const from = Math.floor(sight.from);
    const spacing = next - first;
    return {
      context,
      width: bitmapSize.width,
      ratio: across,
      spacing: spacing * across,
      sight,
      x: (index) => (first + (index - from) * spacing) * across,
      y: (value) => (series.priceToCoordinate(value) ?? Number.NaN) * down,
    };
  }

  /** The prices of the lines in sight that are near to the bars. */
  #priceRange({ minValue, maxValue }: PriceRange): PriceRange | undefined {
    const reach = (maxValue - minValue) * NEAR;
    return this.#rangeOf(
      this.#entries.filter(({ place }) => place === 'price'),
      (value) => value >= minValue - reach && value <= maxValue + reach,
    );
  }

  #rangeOf(entries: readonly Entry[], counts: (value: number) => boolean): PriceRange | undefined {
    const sight = this.#parts?.inSight();
    let minValue = Number.POSITIVE_INFINITY;
    let maxValue = Number.NEGATIVE_INFINITY;
    for (const { values, shifts, style } of sight ? entries : []) {
      style.shapes.forEach((_, line) => {
        const shift = shifts[line] ?? 0;
        const last = Math.min(this.#end(), Math.ceil(sight?.to ?? 0) - shift);
        for (let row = Math.max(0, Math.floor(sight?.from ?? 0) - shift); row <= last; row++) {
          const value = values.at(row, line);
          if (!counts(value)) continue;
          minValue = Math.min(minValue, value);
          maxValue = Math.max(maxValue, value);
        }
      });
    }
    return minValue <= maxValue ? { minValue, maxValue } : undefined;
  }

  #removePanes(parts: ChartParts): void {
    for (const { series, sheet } of this.#panes.splice(0)) {
      sheet.remove();
      // A pane without a series goes with it.
      parts.chart.removeSeries(series);
    }
  }

  #makePanes(): void {
    const parts = this.#parts;
    if (!parts) return;
    const wanted = this.#entries.filter(({ place }) => place === 'pane');
    const same =
      wanted.map(({ id }) => id).join() === this.#panes.map((each) => each.entry.id).join();
    if (same) {
      this.#panes.forEach((pane, at) => {
        const { decimals } = pane.entry;
        pane.entry = wanted[at] ?? pane.entry;
        if (pane.entry.decimals !== decimals)
          pane.series.applyOptions({ priceFormat: priceFormatOf(pane) });
      });
    } else {
      this.#removePanes(parts);
      for (const entry of wanted) this.#panes.push(this.#makePane(parts, entry));
      this.#carry();
    }
    this.#stretch(parts);
    this.#measure();
  }

  /** Gives the panes the heights that are kept. */
  #stretch(parts: ChartParts): void {
    const [bars, ...below] = parts.chart.panes();
    if (!bars || below.length === 0) return;
    const kept = this.#panes.map(({ entry }) => entry.height);
    if (kept.join() === [...this.heights().values()].join()) return;
    bars.setStretchFactor(PRICE_SHARE);
    below.forEach((pane, at) => {
      pane.setStretchFactor(kept[at] ?? 1);
    });
  }

  /** Heights of the panes below the bars, by indicator, that of the bars' pane counted as three. */
  heights(): ReadonlyMap<number, number> {
    const [bars, ...below] = this.#parts?.chart.panes() ?? [];
    const unit = (bars?.getStretchFactor() ?? 0) / PRICE_SHARE;
    return new Map(
      this.#panes.flatMap(({ entry: { id } }, at) => {
        const factor = below[at]?.getStretchFactor();
        return unit > 0 && factor ? [[id, Number((factor / unit).toFixed(3))]] : [];
      }),
    );
  }

  #makePane(parts: ChartParts, entry: Entry): Pane {
    const pane: Pane = { entry } as Pane;
    pane.sheet = createSheet((scale) => this.#endOf(pane.entry, scale));
    pane.series = parts.chart.addSeries(
      HistogramSeries,
      {
        color: 'rgba(0, 0, 0, 0)',
        lastValueVisible: false,
        priceLineVisible: false,
        priceFormat: priceFormatOf(pane),
        autoscaleInfoProvider: () => ({ priceRange: this.#paneRange(pane.entry) }),
      },
      parts.chart.panes().length,
    );
    pane.series
      .priceScale()
      .applyOptions({ entireTextOnly: true, scaleMargins: { top: 0.16, bottom: 0.06 } });
    const paint = (stage: Stage, from: number, to: number) =>
      paintIndicator(stage, pane.entry, from, to);
    const renderer = this.#renderer(pane.series, paint, entry.style.levels);
    const end = viewOf(pane.sheet, () => this.#paintEnd(pane.sheet, pane.series, paint));
    const views = [{ renderer: () => renderer }, end];
    pane.series.attachPrimitive({ paneViews: () => views });
    return pane;
  }

  #paneRange(entry: Entry): PriceRange {
    const { range, levels = [] } = entry.style;
    const found = this.#rangeOf([entry], (value) => !Number.isNaN(value));
    // Levels belong to what the values mean; without values they are all there is.
    const always = range ?? (found && levels.length > 1 ? [] : levels);
    const all = [...always, ...(found ? [found.minValue, found.maxValue] : [])];
    if (all.length === 0) return { minValue: 0, maxValue: 1 };
    return { minValue: Math.min(...all), maxValue: Math.max(...all) };
  }

  /** A scale without any value has no coordinates. */
  #carry(): void {
    const last = this.#parts?.lastHeldTime();
    for (const { series } of this.#panes)
      series.setData(last === undefined ? [] : [{ time: last, value: 0 }]);
  }

  #measure(): void {
    const parts = this.#parts;
    if (!parts) return;
    const heights = parts.chart.panes().map((pane) => pane.getHeight());
    let top = 0;
    const tops = heights.map((height) => {
      const at = top;
      top += height + SEPARATOR;
      return at;
    });
    const places = this.#panes.map(({ entry }, at) => ({ id: entry.id, top: tops[at + 1] ?? 0 }));
    const lower = top - SEPARATOR - (heights[0] ?? 0);
    if (JSON.stringify(places) !== JSON.stringify(this.places.peek())) this.places.value = places;
    this.lower.value = lower;
  }
}

/** The axis has as many decimals as the values. */
function priceFormatOf(pane: Pane): PriceFormat {
  return {
    type: 'custom',
    formatter: (value: number) => axisLabel(pane.entry, value),
    ...smallestMove(pane.entry.decimals),
  };
}

/** Above and below what the values can be, an axis has no labels. */
function axisLabel({ style: { range }, format }: Entry, value: number): string {
  return range && (value < range[0] || value > range[1]) ? '' : format(value);
}
