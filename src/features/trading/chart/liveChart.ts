import { batch, signal } from '@preact/signals-core';
import { type Failure, type Result, success } from '#domain/core/result';
import type { UnixSeconds } from '#domain/core/time';
import type { Candles, CandlesKey } from '#domain/market/candles';
import type { Bar } from '#domain/market/kline';
import { olderBarsRetry } from '#domain/market/olderBars';
import { BarList, type Redraw } from './barList';
import type { CandleChart, CandleChartEvents, ChartFormat } from './candleChart';
import type { LineMarkers } from './chartLines';
import type { ChartExtra, ChartNotes, Figure } from './chartParts';
import type { ChartSpace } from './chartSpace';
import type { AxisMode, ChartStyle } from './chartStyle';
import type { Stretch } from './heldBars';
import type { Side } from './lineScale';
import type { ChartLine } from './orderLines';

export type ChartState =
  | { kind: 'loading' }
  /** `outdated`: the bars of an earlier visit, because loading failed. */
  | { kind: 'shown'; outdated?: true }
  | { kind: 'empty' }
  | { kind: 'failed'; failure: Failure };

const LOADING: ChartState = { kind: 'loading' };
const SHOWN: ChartState = { kind: 'shown' };
const OUTDATED: ChartState = { kind: 'shown', outdated: true };
const EMPTY: ChartState = { kind: 'empty' };

/** What the view has at its old end: bars are still missing there, or the history begins. */
export type OldEnd = { kind: 'loading' } | { kind: 'begins'; time: UnixSeconds };

const OLDER_LOADING: OldEnd = { kind: 'loading' };

/** Connects the worker's frames to the canvas. Depends on neither React nor the chart library. */
export class LiveChart {
  readonly state = signal<ChartState>(LOADING);
  /** The bar shown in the legend: the one under the crosshair, otherwise the last in sight. */
  readonly legendBar = signal<Bar | undefined>(undefined);
  /** The index of that bar; undefined where there are none. */
  readonly legendIndex = signal<number | undefined>(undefined);
  /** Whether that bar is under the crosshair. */
  readonly isPointed = signal(false);
  /** The time that the user points at, by the pointer or by keys; not one that another chart has. */
  readonly pointedTime = signal<UnixSeconds | undefined>(undefined);
  /** Whether the newest bar is visible. */
  readonly following = signal(true);
  /** Undefined where the view has no end of the bars. */
  readonly oldEnd = signal<OldEnd | undefined>(undefined);
  /** The lines outside the axis, by side. */
  readonly markers = signal<LineMarkers>({});
  /** For layers above the bars; undefined without a canvas. */
  readonly space = signal<ChartSpace | undefined>(undefined);
  /** Start time of the newest bar; changes once a bar, not with each tick. */
  readonly newest = signal<number | undefined>(undefined);

  /** Changes when what the style adds to the legend may have changed. */
  readonly notes = signal(0);
  /** Start time of the oldest bar that is loaded. */
  readonly oldest = signal<number | undefined>(undefined);
  /** How prices are scaled as it is drawn, whatever the user's setting. */
  readonly axisMode = signal<AxisMode>('linear');

  readonly #bars = new BarList();
  readonly #loadOlder: (key: CandlesKey) => Promise<Result<void>>;
  #chart: CandleChart | undefined;
  #format: ChartFormat | undefined;
  #key: CandlesKey | undefined;
  #pointed: number | undefined;
  /** Index of the last bar in sight; undefined where that is the newest, whichever it is. */
  #lastInSight: number | undefined;
  #lines: readonly ChartLine[] = [];
  #extra: ChartExtra | undefined;
  #marked: ChartNotes | undefined;
  #style: ChartStyle | undefined;
  /** Called with the next frame. */
  #arrived = () => {};
  #onLineMoved: (id: string, price: number) => void = () => undefined;
  #onOrders: (orders: readonly number[]) => void = () => undefined;
  #more = false;
  #nearOldest = false;
  #showsOldest = false;
  #asking = false;
  /** After a failure: the timer of the next attempt. */
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(loadOlder: (key: CandlesKey) => Promise<Result<void>>) {
    this.#loadOlder = loadOlder;
  }

  /** Sets or removes the canvas, which loads in parallel with the first bars. */
  attach(create: ((events: CandleChartEvents) => CandleChart) | undefined): void {
    this.#extra?.attach(undefined);
    // Layers leave the canvas before it goes.
    this.space.value = undefined;
    this.#chart?.remove();
    this.#chart = create?.({
      onCrosshair: (index) => this.#pointAt(index),
      onOldest: (near, visible) => this.#oldest(near, visible),
      onLast: (index) => this.#look(index),
      onLineMoved: (id, price) => this.#onLineMoved(id, price),
      onOrders: (orders) => this.#onOrders(orders),
      onMarkers: (markers) => {
        this.markers.value = markers;
      },
    });
    if (!this.#chart) {
      this.markers.value = {};
      this.#pointAt(undefined);
      this.#oldest(false, false);
    }
    if (this.#chart && this.#format) this.#chart.configure(this.#format);
    // Each makes the library scale its axes anew.
    if (this.#style) this.#chart?.setStyle(this.#style);
    const axis = this.axisMode.peek();
    if (axis !== 'linear') this.#chart?.scaleTo(axis);
    this.#chart?.draw(this.#bars, { kind: 'all' });
    this.#chart?.lines(this.#lines);
    this.#extra?.attach(this.#chart?.parts);
    this.space.value = this.#chart?.space;
  }

  /** Sets what is drawn beside the bars. */
  extend(extra: ChartExtra | undefined): void {
    this.#extra?.attach(undefined);
    this.#extra = extra;
    extra?.attach(this.#chart?.parts);
  }

  /** Sets what tells of marks in the bars, or says that they have changed. */
  annotate(notes: ChartNotes | undefined): void {
    this.#marked = notes;
    this.notes.value += 1;
  }

  /**
   * Sets the horizontal lines. `onMoved` is called when one was dragged; setting them again puts it
   * back. `onOrders` is called when what tells of these orders was pressed.
   */
  lines(
    lines: readonly ChartLine[],
    onMoved: (id: string, price: number) => void,
    onOrders: (orders: readonly number[]) => void,
  ): void {
    this.#lines = lines;
    this.#onLineMoved = onMoved;
    this.#onOrders = onOrders;
    this.#chart?.lines(lines);
  }

  /** Draws in another way than by plain candles; undefined ends that. */
  setStyle(style: ChartStyle | undefined): void {
    this.#style = style;
    style?.changed(this.#bars.all(), 0);
    this.#chart?.setStyle(style);
    this.notes.value += 1;
    this.#updateLegend();
  }

  scaleTo(mode: AxisMode): void {
    this.axisMode.value = mode;
    this.#chart?.scaleTo(mode);
  }

  /** What the style draws has changed: all of it, or only what moves. */
  repaint(all: boolean): void {
    this.notes.value += 1;
    this.#chart?.repaint(all);
  }

  /** What is drawn beside the moving bar has changed, and no figure of a bar. */
  repaintEnd(): void {
    this.#chart?.repaint(false);
  }

  /**
   * Loads older bars until the one of `time` is there or the history begins, and shows it with the
   * crosshair. `signal` ends the loading.
   */
  async jump(time: UnixSeconds, signal: AbortSignal): Promise<Result<void>> {
    const key = this.#key;
    const lacks = () => this.#more && !((this.#bars.at(0)?.time ?? 0) <= time);
    while (key && lacks()) {
      const arrival = new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
      const result = await this.#loadOlder(key);
      if (!result.ok) return result;
      await arrival;
      if (signal.aborted || key !== this.#key) return success(undefined);
    }
    const next = this.#bars.indexOf(time);
    const index = this.#bars.at(next)?.time === time ? next : next - 1;
    this.#chart?.centre(Math.max(0, index));
    this.#point(Math.max(0, index));
    return success(undefined);
  }

  /** What the style adds to the legend for a bar. */
  noteOf(bar: Bar): string {
    const sight = this.#style && this.inSight();
    const first = sight && this.#bars.at(sight.from);
    return (first && this.#style?.note(bar, first)) ?? '';
  }

  /** What the legend adds for the marks in its bar. */
  markedNote(): string {
    const index = this.legendIndex.peek();
    return index === undefined ? '' : (this.#marked?.note(index) ?? '');
  }

  /** The bars in sight, oldest first. */
  barsInSight(): readonly Bar[] {
    const sight = this.inSight();
    return sight ? this.#bars.all().slice(sight.from, sight.to) : [];
  }

  inSight(): Stretch | undefined {
    return this.#chart?.inSight();
  }

  /** The element that the canvases are in. */
  get host(): HTMLElement | undefined {
    return this.#chart?.host;
  }

  /** Scales the price axis to all lines of a side, or only to those near the bars. */
  reveal(side: Side, revealed: boolean): void {
    this.#chart?.reveal(side, revealed);
  }

  /** Shows another instrument, period or language. */
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
    this.#extra?.clear();
    this.#pointed = undefined;
    this.pointedTime.value = undefined;
    this.#lastInSight = undefined;
    this.#more = false;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    batch(() => {
      this.#oldest(false, false);
      this.state.value = LOADING;
      this.following.value = true;
      this.#updateLegend();
    });
  }

  /** Applies a frame of bars; frames of other charts are ignored. */
  readonly receive = (candles: Candles): void => {
    const { instrumentId, period } = candles;
    if (instrumentId !== this.#key?.instrumentId || period !== this.#key.period) return;
    const before = this.#bars.length;
    this.#bars.apply(candles.change, candles.bars);
    if (candles.change === 'prepend') {
      const added = this.#bars.length - before;
      if (this.#pointed !== undefined) this.#pointed += added;
      if (this.#lastInSight !== undefined) this.#lastInSight += added;
    }
    this.#more = candles.more;
    if (this.#bars.length > 0) this.state.value = candles.failure ? OUTDATED : SHOWN;
    else if (candles.failure) this.state.value = { kind: 'failed', failure: candles.failure };
    else this.state.value = EMPTY;
    this.#extra?.receive(candles, this.#bars.length);
    this.#draw();
    this.#extra?.paint();
    this.#oldest(this.#nearOldest, this.#showsOldest);
    this.#arrived();
  };

  /** Shows that the user's retry is in progress. */
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

  showOldest(): void {
    this.#chart?.showOldest();
  }

  showNewest(): void {
    this.#chart?.showNewest();
  }

  /** Moves the crosshair by bars, from the last in sight where there is none; undefined removes it. */
  step(by: number | undefined): Bar | undefined {
    const last = this.#bars.length - 1;
    const first = this.#lastInSight ?? last;
    const index =
      by === undefined || last < 0
        ? undefined
        : Math.min(last, Math.max(0, this.#pointed === undefined ? first : this.#pointed + by));
    this.#chart?.point(index);
    this.#pointAt(index);
    return index === undefined ? undefined : this.#bars.at(index);
  }

  /** Shows the crosshair where another chart has it; undefined removes it. The view stays. */
  follow(time: UnixSeconds | undefined): void {
    const next = time === undefined ? 0 : this.#bars.indexOf(time);
    const index = this.#bars.at(next)?.time === time ? next : next - 1;
    const known = time === undefined || index < 0 ? undefined : index;
    this.#chart?.mark(known);
    this.#point(known);
  }

  /** What is drawn beside the bar of the legend, in words. */
  tellBeside(): string {
    const index = this.legendIndex.peek();
    return this.figuresOf(index)
      .flatMap(({ name, text }) => (text ? [`${name} ${text}`] : []))
      .join('; ');
  }

  /** What is drawn beside a bar: for all bars the same names. */
  figuresOf(index: number | undefined): Figure[] {
    if (index === undefined) return [];
    return [...(this.#extra?.figures(index) ?? []), ...(this.#marked?.figures(index) ?? [])];
  }

  /** All bars, oldest first. */
  bars(): readonly Bar[] {
    return this.#bars.all();
  }

  /** The bars that the canvas holds, for tests. */
  drawn(): Bar[] {
    return this.#chart?.series() ?? [];
  }

  /** Times of the first and the last bar in sight, for tests. */
  timesInSight(): [first: number, last: number] | undefined {
    return this.#chart?.timesInSight();
  }

  /** Distance of a price from the top of the canvas, px. */
  heightOf(price: number): number | undefined {
    return this.#chart?.heightOf(price);
  }

  /** Distance of a bar's middle from the left of the canvas, px. */
  xOf(time: number): number | undefined {
    return this.space.peek()?.xOf(this.#bars.indexOf(time));
  }

  /** The prices of the lines on the canvas. */
  linePrices(): number[] {
    return this.#chart?.linePrices() ?? [];
  }

  /** Where the texts of lines are, px from the top left of the canvas, for tests. */
  tagBoxes() {
    return this.#chart?.tagBoxes() ?? [];
  }

  #draw(): void {
    const redraw = this.#bars.takeRedraw();
    if (!redraw) return;
    this.#style?.changed(this.#bars.all(), firstChanged(redraw));
    this.#chart?.draw(this.#bars, redraw);
    this.#updateLegend();
  }

  /** The user points at a bar. */
  #pointAt(index: number | undefined): void {
    this.#point(index);
    this.pointedTime.value = index === undefined ? undefined : this.#bars.at(index)?.time;
  }

  #point(index: number | undefined): void {
    this.#pointed = index;
    this.#updateLegend();
  }

  #look(index: number): void {
    const following = index >= this.#bars.length - 1;
    const lastInSight = following ? undefined : Math.max(0, index);
    if (following === this.following.value && lastInSight === this.#lastInSight) return;
    this.#lastInSight = lastInSight;
    batch(() => {
      this.following.value = following;
      this.#updateLegend();
    });
  }

  #updateLegend(): void {
    const { last } = this.#bars;
    const index = this.#pointed ?? this.#lastInSight;
    const bar = index === undefined ? undefined : this.#bars.at(index);
    batch(() => {
      this.newest.value = last?.time;
      this.oldest.value = this.#bars.at(0)?.time;
      const at = bar ? index : this.#bars.length - 1;
      const plain = bar ?? last;
      this.legendIndex.value = plain && at;
      this.isPointed.value = this.#pointed !== undefined;
      this.legendBar.value = plain && ((at !== undefined && this.#style?.shown(at)) || plain);
    });
  }

  #oldest(near: boolean, visible: boolean): void {
    this.#nearOldest = near;
    this.#showsOldest = visible;
    const first = this.#bars.at(0);
    if (!visible || !first) this.oldEnd.value = undefined;
    else if (this.#more) this.oldEnd.value = OLDER_LOADING;
    else this.oldEnd.value = { kind: 'begins', time: first.time };
    void this.#older();
  }

  async #older(): Promise<void> {
    if (!this.#key || !this.#nearOldest || !this.#more || this.#asking || this.#retry) return;
    this.#asking = true;
    const key = this.#key;
    const first = this.#bars.at(0);
    const result = await this.#loadOlder(key);
    this.#asking = false;
    // Otherwise the frame with the bars is still to come, and asks again.
    if (key !== this.#key || first !== this.#bars.at(0)) return this.#older();
    if (result.ok) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      void this.#older();
    }, olderBarsRetry(result.failure));
  }
}

function firstChanged(redraw: Redraw): number {
  return redraw.kind === 'from' ? redraw.index : 0;
}
