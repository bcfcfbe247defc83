import { batch, signal } from '@preact/signals-core';
import type { Failure, Result } from '#domain/core/result';
import type { Candles, CandlesKey } from '#domain/gateway/gateway';
import type { Bar } from '#domain/market/kline';
import { BarList } from './barList';
import type { CandleChart, CandleChartEvents, ChartFormat, LineMarkers } from './candleChart';
import type { Side } from './lineScale';
import type { ChartLine } from './orderLines';
import { REDRAW_MS, type Throttled, throttle } from './throttle';

export type ChartState =
  | { kind: 'loading' }
  | { kind: 'shown' }
  | { kind: 'empty' }
  | { kind: 'failed'; failure: Failure };

const LOADING: ChartState = { kind: 'loading' };
const SHOWN: ChartState = { kind: 'shown' };
const EMPTY: ChartState = { kind: 'empty' };
/** Between two attempts at older bars when the first one failed. */
const OLDER_RETRY_MS = 3000;

/** What joins the worker's frames and the library's canvas; knows neither React nor the library. */
export class LiveChart {
  readonly state = signal<ChartState>(LOADING);
  /** The bar that the legend tells: under the crosshair, else the newest. */
  readonly legendBar = signal<Bar | undefined>(undefined);
  /** Whether the newest bar is in sight. */
  readonly following = signal(true);
  /** The lines that are too far away to be in sight, by side. */
  readonly markers = signal<LineMarkers>({});
  /** The start of the newest bar: changes once a bar, for what should not change with each tick. */
  readonly newest = signal<number | undefined>(undefined);

  readonly #bars = new BarList();
  readonly #redraw: Throttled = throttle(() => this.#draw(), REDRAW_MS);
  readonly #loadOlder: (key: CandlesKey) => Promise<Result<void>>;
  #chart: CandleChart | undefined;
  #format: ChartFormat | undefined;
  #key: CandlesKey | undefined;
  #pointed: number | undefined;
  #lines: readonly ChartLine[] = [];
  #onLineMoved: (id: string, price: number) => void = () => undefined;
  #more = false;
  #olderFailedAt = Number.NEGATIVE_INFINITY;
  #asking = false;

  constructor(loadOlder: (key: CandlesKey) => Promise<Result<void>>) {
    this.#loadOlder = loadOlder;
  }

  /** The canvas is there (it loads while the first bars do), or gone. */
  attach(create: ((events: CandleChartEvents) => CandleChart) | undefined): void {
    this.#redraw.cancel();
    this.#chart?.remove();
    this.#chart = create?.({
      onCrosshair: (index) => this.#point(index),
      onNearOldest: () => void this.#older(),
      onFollowing: (following) => {
        this.following.value = following;
      },
      onLineMoved: (id, price) => this.#onLineMoved(id, price),
      onMarkers: (markers) => {
        this.markers.value = markers;
      },
    });
    if (!this.#chart) this.markers.value = {};
    if (this.#chart && this.#format) this.#chart.configure(this.#format);
    this.#chart?.draw(this.#bars, { kind: 'all' });
    this.#chart?.lines(this.#lines);
  }

  /** The horizontal lines; `onMoved` hears of one that was dragged, and setting them again puts it back. */
  lines(lines: readonly ChartLine[], onMoved: (id: string, price: number) => void): void {
    this.#lines = lines;
    this.#onLineMoved = onMoved;
    this.#chart?.lines(lines);
  }

  /** Scales the price axis to all lines of a side, or to the near ones only. */
  reveal(side: Side, revealed: boolean): void {
    this.#chart?.reveal(side, revealed);
  }

  /** Another instrument, period or language: begins anew. */
  show(key: CandlesKey, format: ChartFormat): void {
    const same = this.#key?.instrumentId === key.instrumentId && this.#key.period === key.period;
    this.#key = key;
    this.#format = format;
    this.#chart?.configure(format);
    if (same) {
      this.#chart?.draw(this.#bars, { kind: 'all' });
      return;
    }
    this.#bars.clear();
    this.#pointed = undefined;
    this.#more = false;
    this.#olderFailedAt = Number.NEGATIVE_INFINITY;
    batch(() => {
      this.state.value = LOADING;
      this.following.value = true;
      this.#updateLegend();
    });
  }

  /** A frame of the bars that are shown. */
  readonly receive = (candles: Candles): void => {
    const { instrumentId, period } = candles;
    if (instrumentId !== this.#key?.instrumentId || period !== this.#key.period) return;
    const before = this.#bars.length;
    this.#bars.apply(candles.change, candles.bars);
    if (candles.change === 'prepend' && this.#pointed !== undefined) {
      this.#pointed += this.#bars.length - before;
    }
    this.#more = candles.more;
    if (this.#bars.length > 0) this.state.value = SHOWN;
    else if (candles.failure) this.state.value = { kind: 'failed', failure: candles.failure };
    else this.state.value = EMPTY;
    if (candles.change === 'update') this.#redraw.request();
    else this.#draw();
  };

  /** The retry of the user is under way. */
  reloading(): void {
    this.state.value = LOADING;
  }

  colour(colours: Parameters<CandleChart['colour']>[0]): void {
    this.#chart?.colour(colours);
  }

  pan(bars: number): void {
    this.#chart?.pan(bars);
  }

  zoom(factor: number): void {
    this.#chart?.zoom(factor);
  }

  showNewest(): void {
    this.#chart?.showNewest();
  }

  /** Moves the crosshair by bars, from the newest where there is none; undefined takes it away. */
  step(by: number | undefined): Bar | undefined {
    const last = this.#bars.length - 1;
    const index =
      by === undefined || last < 0
        ? undefined
        : Math.min(last, Math.max(0, this.#pointed === undefined ? last : this.#pointed + by));
    this.#chart?.point(index);
    this.#point(index);
    return index === undefined ? undefined : this.#bars.at(index);
  }

  /** All bars, oldest first. */
  bars(): readonly Bar[] {
    return this.#bars.all();
  }

  /** The bars as the canvas holds them, for a test to compare. */
  drawn(): Bar[] {
    return this.#chart?.series() ?? [];
  }

  /** Where a price stands on the canvas, in px from its top. */
  heightOf(price: number): number | undefined {
    return this.#chart?.heightOf(price);
  }

  /** The prices of the lines on the canvas. */
  linePrices(): number[] {
    return this.#chart?.linePrices() ?? [];
  }

  #draw(): void {
    this.#redraw.cancel();
    const redraw = this.#bars.takeRedraw();
    if (!redraw) return;
    this.#chart?.draw(this.#bars, redraw);
    this.#updateLegend();
  }

  #point(index: number | undefined): void {
    this.#pointed = index;
    this.#updateLegend();
  }

  #updateLegend(): void {
    const { last } = this.#bars;
    const pointed = this.#pointed === undefined ? undefined : this.#bars.at(this.#pointed);
    batch(() => {
      this.newest.value = last?.time;
      this.legendBar.value = pointed ?? last;
    });
  }

  async #older(): Promise<void> {
    if (!this.#key || !this.#more || this.#asking) return;
    if (performance.now() - this.#olderFailedAt < OLDER_RETRY_MS) return;
    this.#asking = true;
    const key = this.#key;
    const result = await this.#loadOlder(key);
    this.#asking = false;
    if (!result.ok && key === this.#key) this.#olderFailedAt = performance.now();
  }
}
