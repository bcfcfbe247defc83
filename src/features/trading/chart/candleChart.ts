/** Only this module, and indicators/, use lightweight-charts; loaded when a chart is shown. */

import {
  type AutoscaleInfo,
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChartEx,
  HistogramSeries,
  type IHorzScaleBehavior,
  LineStyle,
  type Logical,
  PriceScaleMode,
  type Time,
  TrackingModeExitMode,
  type UTCTimestamp,
} from 'lightweight-charts';
import { toUnixSeconds } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import { matchesMedia, watchMedia } from '../../../ui/useMediaQuery';
import { dragAxis } from './axisDrag';
import type { BarList, Redraw } from './barList';
import type { ChartClock } from './chartClock';
import type { ChartColours } from './chartColours';
import { createChartLines, type LineMarkers, type LineTag } from './chartLines';
import type { ChartParts } from './chartParts';
import type { ChartSpace } from './chartSpace';
import type { AxisMode, ChartStyle, Stage } from './chartStyle';
import { barsToHold, type Stretch } from './heldBars';
import { dragLines } from './lineDrag';
import { type PriceRange, type Side, smallestMove } from './lineScale';
import { type Box, candleWidth, createMovingBarLayer, labelHeight, type Scale } from './movingBar';
import type { ChartLine } from './orderLines';
import { watchScrolling } from './scrolling';
import { createStyleLayer } from './styleLayer';
import { localTimeAxis } from './timeAxis';

export interface CandleChartEvents {
  /** The index of the bar under the crosshair; undefined where there is none. */
  onCrosshair(index: number | undefined): void;
  /** Whether the view is close to the oldest bar, and whether it has it. */
  onOldest(near: boolean, visible: boolean): void;
  /** The index of the last bar that is wholly in sight; beyond the bars where the newest one is. */
  onLast(index: number): void;
  /** The user dragged a line to a price. It stays there until lines are set again. */
  onLineMoved(id: string, price: number): void;
  /** The user pressed what tells of these orders, by their ids. */
  onOrders(orders: readonly number[]): void;
  /** Lines have left the view at the upper or lower edge, or come back. */
  onMarkers(markers: LineMarkers): void;
}

/** Formats of prices and times for an instrument and a period. */
export interface ChartFormat {
  clock: ChartClock;
  formatPrice: (price: number) => string;
  precision: number;
}

export interface CandleChart {
  /** For layers above the bars. */
  readonly space: ChartSpace;
  /** For what is drawn beside the bars. */
  readonly parts: ChartParts;
  /** What the library draws in. */
  readonly host: HTMLElement;
  /** Draws in another way than by plain candles; undefined ends that. */
  setStyle(style: ChartStyle | undefined): void;
  scaleTo(mode: AxisMode): void;
  /** What the style draws has changed: all of it, or only what moves. */
  repaint(all: boolean): void;
  /** Moves a bar into the middle of the view, and the crosshair to it. */
  centre(index: number): void;
  /** The bars in sight, by index. */
  inSight(): Stretch | undefined;
  /** Another instrument, period or language: empties the chart and shows the newest bar. */
  configure(format: ChartFormat): void;
  colour(colours: ChartColours): void;
  draw(bars: BarList, redraw: Redraw): void;
  /** Sets the horizontal lines. */
  lines(lines: readonly ChartLine[]): void;
  /** Scales the price axis to all lines of a side, or only to those near the bars. */
  reveal(side: Side, revealed: boolean): void;
  /** Moves the view by this many bars; negative goes back in time. */
  pan(bars: number): void;
  zoom(factor: number): void;
  showOldest(): void;
  showNewest(): void;
  /** Puts the crosshair on a bar and scrolls to it; undefined removes it. */
  point(index: number | undefined): void;
  /** Puts the crosshair on a bar where that is in sight, otherwise removes it; the view stays. */
  mark(index: number | undefined): void;
  /** The bars that the series holds. */
  series(): Bar[];
  /** Time of the first and the last bar in sight; undefined where there is none. */
  timesInSight(): [first: number, last: number] | undefined;
  /** Distance of a price from the top, px. */
  heightOf(price: number): number | undefined;
  /** The prices of the lines, in no particular order. */
  linePrices(): number[];
  /** Where the texts of lines are, px from the top left. */
  tagBoxes(): Box[];
  remove(): void;
}

const FONT_SIZE = 11;
/** Half of the longest label of the time axis, px. */
const LABEL_REACH = 20;
/** Share of the height that the axis leaves free above the bars, and below them for the volumes. */
const MARGINS = { top: 0.1, bottom: 0.24 } as const;
/** Height of the price and the periods, which are over the chart on a phone held sideways (ChartView.module.css), px. */
const HEAD_SIDEWAYS = 126;
/** Height of status strip and time axis, px. */
const BESIDE_PANE = 54;
const SIDEWAYS = '(height < 30rem) and (width < 64rem) and (orientation: landscape)';
const VOLUMES_TOP = 0.82;
/** The moving bar may reach this far into a margin, as a share of the height, before the axis is scaled to it. */
const REACH = 0.05;
/** The library holds the newest bar, but does not show it: see movingBar.ts. */
const UNSEEN = 'rgba(0, 0, 0, 0)';

/** Request older bars when fewer than this are hidden on the left, or fewer than the view has. */
const NEAR_OLDEST = 40;
/** The library holds as many bars before it has a view. */
const AT_FIRST = 2000;
/** The distance of the newest bar from the axis, in bars: room for what lines of orders tell. */
const RIGHT_OFFSET = 10;

/** The library's options of the colours. */
const colouring = ({ text, font, grid, line, label }: ChartColours) => ({
  layout: {
    textColor: text,
    fontFamily: font,
    panes: { separatorColor: grid, separatorHoverColor: line },
  },
  grid: { vertLines: { color: grid }, horzLines: { color: grid } },
  crosshair: {
    vertLine: { color: line, style: LineStyle.Dashed, labelBackgroundColor: label },
    horzLine: { color: line, style: LineStyle.Dashed, labelBackgroundColor: label },
  },
});

export function createCandleChart(
  host: HTMLElement,
  firstColours: ChartColours,
  events: CandleChartEvents,
): CandleChart {
  let colours = firstColours;
  let bars: BarList | undefined;
  let format: ChartFormat | undefined;
  let shownStyle: ChartStyle | undefined;
  let axisMode: AxisMode = 'linear';
  /** Index of the bar that the library does not show. */
  let moving = -1;
  /** The bars that the library holds. Its own indexes count from the first of them. */
  let held: Stretch = { from: 0, to: 0 };
  /** Times of the first and last of them. */
  let heldTimes: Stretch = { from: 0, to: 0 };
  /** The library is given bars: its indexes mean nothing meanwhile. */
  let giving = false;
  /** The library moves its view with the next frame only: this is where to. */
  let target: Stretch | undefined;
  /** That frame. */
  let frame = 0;
  /** Prices that the axis includes, and what is told of the bars that the library holds: see chartParts.ts. */
  let included: Parameters<ChartParts['include']>[0];
  let onHeld: Parameters<ChartParts['onHeld']>[0];
  let besideEnd: Parameters<ChartParts['atEnd']>[0];

  const margins = () =>
    matchesMedia(SIDEWAYS)
      ? { ...MARGINS, top: Math.min(0.5, HEAD_SIDEWAYS / (innerHeight - BESIDE_PANE)) }
      : MARGINS;
  const axis = localTimeAxis(
    () => format?.clock,
    (time) => {
      const x = scale.timeToCoordinate(chartTime(time));
      return x !== null && Math.min(x, scale.width() - x) < LABEL_REACH;
    },
  );
  const chart = createChartEx<Time, IHorzScaleBehavior<Time>>(host, axis, {
    autoSize: true,
    layout: {
      // Its style element would violate the content security policy; /about credits the library
      // instead.
      attributionLogo: false,
      background: { type: ColorType.Solid, color: 'transparent' },
      fontSize: FONT_SIZE,
      ...colouring(colours).layout,
    },
    grid: colouring(colours).grid,
    // A vertical swipe scrolls the page.
    handleScroll: { vertTouchDrag: false },
    trackingMode: { exitMode: TrackingModeExitMode.OnTouchEnd },
    crosshair: { mode: CrosshairMode.Normal, ...colouring(colours).crosshair },
    rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: margins() },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: false,
      rightOffset: RIGHT_OFFSET,
      barSpacing: 7,
      minBarSpacing: 1.5,
    },
    localization: {
      timeFormatter: (time: Time) => format?.clock.label(toUnixSeconds(Number(time))) ?? '',
    },
  });
  const candleColours = () => {
    const up = shownStyle?.hidesCandles ? UNSEEN : colours.up;
    const down = shownStyle?.hidesCandles ? UNSEEN : colours.down;
    return { upColor: up, downColor: down, wickUpColor: up, wickDownColor: down };
  };
  const candles = chart.addSeries(CandlestickSeries, {
    ...candleColours(),
    borderVisible: false,
    // Ours follow the price, the library's the last visible bar.
    priceLineVisible: false,
    lastValueVisible: false,
    autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => withLines(original()),
  });
  /** What the axis includes has changed. It stays as it is where the user has scaled it. */
  const rescale = () => {
    const axis = candles.priceScale();
    if (axis.options().autoScale) axis.applyOptions({ autoScale: true });
  };
  const lines = createChartLines({
    candles,
    colours: () => colours,
    height: () => chart.paneSize().height,
    onMarkers: events.onMarkers,
    rescale,
  });
  /** Includes lines near the bars in the axis, so that they can be read and dragged. */
  const withLines = (info: AutoscaleInfo | null): AutoscaleInfo | null => {
    lines.noteBars(info?.priceRange ?? undefined);
    if (!info?.priceRange) return info;
    const beside = bars && shownStyle?.range(bars, ...inSight());
    const dressedRange = union(info.priceRange, beside);
    const range = union(dressedRange, included?.(dressedRange));
    return { ...info, priceRange: lines.rangeWith(range) };
  };
  /** The library paints by itself when it gets data, not when it gets a layer. */
  const repaintAll = () => candles.applyOptions({});
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: VOLUMES_TOP, bottom: 0 } });
  const onTurned = () => candles.priceScale().applyOptions({ scaleMargins: margins() });
  const stopTurning = watchMedia(SIDEWAYS, onTurned);

  const isMoving = (inHeld: number) => inHeld + held.from === moving;
  const candle = ({ time, open, high, low, close }: Bar, inHeld: number) => ({
    time: chartTime(time),
    open,
    high,
    low,
    close,
    ...(isMoving(inHeld) && { color: UNSEEN, wickColor: UNSEEN }),
  });
  const volumeColour = (bar: Bar) => (bar.close < bar.open ? colours.volumeDown : colours.volumeUp);
  const volume = (bar: Bar, inHeld: number) => ({
    time: chartTime(bar.time),
    value: bar.volume,
    color: isMoving(inHeld) ? UNSEEN : volumeColour(bar),
  });
  const heldBars = () => bars?.all().slice(held.from, held.to) ?? [];
  const drawVolumes = () => volumes.setData(heldBars().map(volume));
  const noteTimes = () => {
    heldTimes = {
      from: bars?.at(held.from)?.time ?? 0,
      to: bars?.at(held.to - 1)?.time ?? 0,
    };
    onHeld?.();
  };
  const hold = (next: Stretch) => {
    held = next;
    giving = true;
    candles.setData(heldBars().map(candle));
    drawVolumes();
    noteTimes();
    giving = false;
  };

  const scale = chart.timeScale();
  /** What was painted last. */
  let tags: readonly LineTag[] = [];
  /** Whether a bar is between two heights, right of `left`. */
  const hasBar = (left: number, top: number, bottom: number) => {
    const { barSpacing } = scale.options();
    const first = (scale.coordinateToLogical(left - barSpacing / 2) ?? 0) + held.from;
    const { to } = view() ?? held;
    for (let index = Math.max(0, first); index <= to; index++) {
      const bar = bars?.at(index);
      if (!bar) return false;
      const high = candles.priceToCoordinate(bar.high) ?? 0;
      const low = candles.priceToCoordinate(bar.low) ?? 0;
      if (high <= bottom && low >= top) return true;
    }
    return false;
  };
  const ordersAt = (x: number, y: number, reach: number) => {
    // Below it are other panes.
    if (y > chart.paneSize().height) return undefined;
    const index = tags.findIndex((tag, at) => {
      const left = layer.boxes[at]?.left ?? chart.paneSize().width;
      return Math.abs(tag.y - y) <= reach + labelHeight(FONT_SIZE) / 2 && x >= left - reach;
    });
    const orders = tags[index]?.orders ?? [];
    return orders.length > 0 ? orders : undefined;
  };
  const layer = createMovingBarLayer(() => {
    const bar = bars?.at(moving);
    const place = bar && placeOf(bar);
    const present = format;
    if (!bar || !place || !present) return undefined;
    const color = bar.close < bar.open ? colours.down : colours.up;
    const style = shownStyle;
    tags = lines.tags(labelHeight(FONT_SIZE));
    return {
      candle: !style?.hidesCandles,
      drawEnd(context, at) {
        if (style) withStage(context, at, (stage) => style.drawEnd(stage));
        besideEnd?.(context, at);
      },
      bar: { ...place, color, volumeColor: volumeColour(bar) },
      label: {
        text: labelOf(bar.close, present),
        below: style?.countdown?.(),
        font: `${FONT_SIZE}px ${colours.font}`,
        fontSize: FONT_SIZE,
        color: colours.onDirection,
        background: color,
      },
      tags: tags.map((tag) => ({
        ...tag,
        price: labelOf(tag.price, present),
      })),
      isFree: (left, top, bottom) => !hasBar(left, top, bottom),
    };
  });
  /** The moving bar in the pane; undefined before the library has painted. */
  const placeOf = (bar: Bar) => {
    const x = scale.logicalToCoordinate((moving - held.from) as Logical);
    const before = scale.logicalToCoordinate((moving - held.from - 1) as Logical);
    const [open, high, low, close] = [bar.open, bar.high, bar.low, bar.close].map((price) =>
      candles.priceToCoordinate(price),
    );
    const traded = volumes.priceToCoordinate(bar.volume);
    const base = volumes.priceToCoordinate(0);
    if (x === null || before === null || traded === null || base === null) return undefined;
    if (open == null || high == null || low == null || close == null) return undefined;
    // Differences of coordinates are not exact.
    const spacing = Number((x - before).toFixed(6));
    const inSight = x > -spacing && x < chart.paneSize().width + spacing;
    return { x: inSight ? x : undefined, spacing, open, high, low, close, volume: traded, base };
  };
  /** On an axis in percent, the label of a price is that. */
  const labelOf = (price: number, { formatPrice }: ChartFormat) => {
    const base = axisMode === 'percent' ? bars?.at(inSight()[0])?.close : undefined;
    return shownStyle && base
      ? shownStyle.formatPercent((price / base - 1) * 100)
      : formatPrice(price);
  };
  /** Indexes of the bars in sight; the second is excluded. */
  const inSight = (): [from: number, to: number] => {
    const range = scale.getVisibleLogicalRange();
    if (!range) return [held.from, held.from];
    const within = (index: number) => Math.min(held.to, Math.max(held.from, index + held.from));
    // The library counts percent from the first of them.
    return [within(Math.floor(range.from)), within(Math.ceil(range.to) + 1)];
  };
  const withStage = (
    context: CanvasRenderingContext2D,
    { horizontalPixelRatio: across, verticalPixelRatio: down, bitmapSize }: Scale,
    draw: (stage: Stage) => void,
  ) => {
    const [from, to] = inSight();
    if (!bars || to === from) return;
    const spacing = scale.options().barSpacing;
    draw({
      context,
      ...bitmapSize,
      ratio: across,
      bars,
      from,
      to,
      moving,
      spacing: spacing * across,
      candle: candleWidth(spacing, across),
      x: (index) => (scale.logicalToCoordinate((index - held.from) as Logical) ?? 0) * across,
      y: (price) => (candles.priceToCoordinate(price) ?? 0) * down,
      colours,
    });
  };
  const styleLayer = createStyleLayer(
    () => shownStyle,
    ({ context, ...at }, draw) => withStage(context, at, draw),
  );
  /** Whether the moving bar is where the axes have to be scaled to it. */
  const leavesAxes = (bar: Bar) => {
    const place = placeOf(bar);
    if (!place) return true;
    if (place.x === undefined || !candles.priceScale().options().autoScale) return false;
    const { height } = chart.paneSize();
    const { top, bottom } = margins();
    return (
      place.high < (top - REACH) * height ||
      place.low > (1 - bottom + REACH) * height ||
      place.volume < (VOLUMES_TOP - REACH) * height
    );
  };
  /** The bar that gets the crosshair when the library has moved its view to it. */
  let pointing: Bar | undefined;
  /** The crosshair is another chart's, which the library tells as if it were this one's when it gets bars. */
  let isFollowed = false;
  chart.subscribeCrosshairMove(({ logical, time, sourceEvent }) => {
    if (sourceEvent) isFollowed = false;
    // The crosshair stays where it is on the screen while the bars move below it.
    if (pointing || isFollowed) return;
    const index = time === undefined || logical === undefined ? undefined : logical + held.from;
    events.onCrosshair(index);
  });
  /** The visible indexes; undefined before the library has painted. */
  const view = (): Stretch | undefined => {
    if (target || frame) return target;
    const range = scale.getVisibleLogicalRange();
    return range ? { from: range.from + held.from, to: range.to + held.from } : undefined;
  };
  const inNextFrame = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      target = undefined;
      look();
      const pointed = pointing;
      if (!pointed || frame) return;
      pointing = undefined;
      pointTo(pointed);
    });
  };
  const pointTo = ({ close, time }: Bar) =>
    chart.setCrosshairPosition(close, chartTime(time), candles);
  const moveTo = (next: Stretch) => {
    target = next;
    const wanted = barsToHold(held, next, chart.paneSize().width, bars?.length ?? 0, false);
    if (wanted) hold(wanted);
    scale.setVisibleLogicalRange({ from: next.from - held.from, to: next.to - held.from });
    inNextFrame();
  };
  /** Adapts what the library holds, and reports what the view has. */
  const look = () => {
    const present = view();
    if (giving || !present || !bars || bars.length === 0) return;
    const { from, to } = present;
    const pinned = scrolling.lasts();
    const wanted = barsToHold(held, present, chart.paneSize().width, bars.length, pinned);
    // The library measures its view from the newest bar that it holds.
    if (wanted && wanted.to === held.to && !target) hold(wanted);
    else if (wanted) moveTo(present);
    events.onOldest(from < Math.max(NEAR_OLDEST, to - from), from < 1);
    events.onLast(Math.floor(to));
  };
  const scrolling = watchScrolling(host, look);
  scale.subscribeVisibleLogicalRangeChange(() => {
    scrolling.moved();
    look();
  });

  // The library notifies its primitives of every change of the axes.
  candles.attachPrimitive({ ...layer.primitive, updateAllViews: lines.report });
  candles.attachPrimitive(styleLayer.primitive);
  let removed = false;
  const undragAxis = dragAxis(host, chart);
  const dropLine = (id: string, price: number) => {
    lines.drop();
    events.onLineMoved(id, price);
  };
  const undrag = dragLines(
    host,
    {
      lineAt: lines.lineAt,
      priceAt: (y) => snapped(candles.coordinateToPrice(y), format?.precision ?? 0),
      move: lines.move,
      ordersAt,
    },
    dropLine,
    events.onOrders,
  );

  const moveView = (by: number) => {
    const present = view();
    if (present) moveTo({ from: present.from + by, to: present.to + by });
  };
  /** All bars are other ones, or the same with changes. */
  const drawAll = (list: BarList, hadNewest: boolean) => {
    const from = list.indexOf(heldTimes.from);
    const to = hadNewest ? list.length : list.indexOf(heldTimes.to + 1);
    const known = held.to > held.from && from < to;
    hold(known ? { from, to } : { from: Math.max(0, list.length - AT_FIRST), to: list.length });
  };

  const colourCandles = () => candles.applyOptions(candleColours());

  return {
    parts: {
      chart,
      candles,
      bars: () => bars,
      inSight: view,
      xOf: (index) => scale.logicalToCoordinate((index - held.from) as Logical) ?? undefined,
      lastHeldTime() {
        const newest = bars?.at(held.to - 1);
        return newest && chartTime(newest.time);
      },
      include(range) {
        included = range;
      },
      onHeld(listener) {
        onHeld = listener;
      },
      atEnd(paint) {
        besideEnd = paint;
      },
      rescale() {
        rescale();
        repaintAll();
      },
    },
    host,
    space: {
      host,
      bars: () => bars,
      size: () => chart.paneSize(),
      xOf: (index) => scale.logicalToCoordinate((index - held.from) as Logical) ?? undefined,
      indexAt(x) {
        const inHeld = scale.coordinateToLogical(x);
        return inHeld === null ? undefined : inHeld + held.from;
      },
      yOf: (price) => candles.priceToCoordinate(price) ?? undefined,
      priceAt: (y) => candles.coordinateToPrice(y) ?? undefined,
      hasLineAt: (y, reach) => lines.lineAt(y, reach) !== undefined,
      moveLine: lines.move,
      dropLine,
      attach(given) {
        candles.attachPrimitive(given);
        repaintAll();
        // What goes after the chart would have the library paint canvases that it has given back.
        return () => {
          if (!removed) candles.detachPrimitive(given);
        };
      },
      repaint: repaintAll,
    },
    setStyle(style) {
      shownStyle = style;
      colourCandles();
      // The axis includes what the style adds.
      rescale();
    },
    scaleTo(mode) {
      axisMode = mode;
      candles.priceScale().applyOptions({ mode: SCALE_MODES[mode], autoScale: true });
    },
    repaint(all) {
      if (!all) return layer.paint();
      rescale();
      repaintAll();
    },
    inSight() {
      const [from, to] = inSight();
      return to > from ? { from, to } : undefined;
    },
    configure(next) {
      format = next;
      moving = -1;
      held = { from: 0, to: 0 };
      target = undefined;
      pointing = undefined;
      // The axis caches its labels by time across periods, so remove the data first.
      lines.revealNone();
      candles.setData([]);
      volumes.setData([]);
      onHeld?.();
      candles.applyOptions({
        priceFormat: {
          type: 'custom',
          formatter: next.formatPrice,
          ...smallestMove(next.precision),
        },
      });
      scale.resetTimeScale();
      inNextFrame();
      candles.priceScale().applyOptions({ autoScale: true });
    },
    colour(next) {
      colours = next;
      chart.applyOptions(colouring(next));
      colourCandles();
      drawVolumes();
      lines.recolour();
    },
    lines: lines.set,
    reveal: lines.reveal,
    draw(list, redraw) {
      const last = list.length - 1;
      const newest = list.last;
      const hasNewest = held.to > moving;
      bars = list;
      if (redraw.kind === 'older') {
        const { count } = redraw;
        moving += count;
        held = { from: held.from + count, to: held.to + count };
        target &&= { from: target.from + count, to: target.to + count };
        look();
        return;
      }
      if (redraw.kind === 'all' || !newest) {
        moving = last;
        drawAll(list, hasNewest);
        return;
      }
      if (!hasNewest || (redraw.index === moving && last === moving && !leavesAxes(newest))) {
        moving = last;
        layer.paint();
        return;
      }
      // What has moved since the library got it, and is closed now, is shown by the library.
      const from = Math.min(redraw.index, moving);
      moving = last;
      // The first of several new bars moves the view: answering that would give the library all of them.
      giving = true;
      for (let index = from; index <= last; index++) {
        const bar = list.at(index);
        if (!bar) continue;
        candles.update(candle(bar, index - held.from));
        volumes.update(volume(bar, index - held.from));
      }
      held = { from: held.from, to: list.length };
      giving = false;
      noteTimes();
      look();
    },
    pan: moveView,
    zoom(factor) {
      const present = view();
      if (!present) return;
      const half = ((present.to - present.from) * factor) / 2;
      const middle = (present.to + present.from) / 2;
      moveTo({ from: middle - half, to: middle + half });
    },
    showOldest() {
      const present = view();
      if (present) moveTo({ from: -0.5, to: present.to - present.from - 0.5 });
    },
    showNewest() {
      const present = view();
      if (!present || !bars) return;
      // The library's own way there is an animation that leaves out its last frame.
      const to = bars.length - 1 + RIGHT_OFFSET;
      moveTo({ from: to - present.to + present.from, to });
    },
    centre(index) {
      const present = view();
      const half = present ? (present.to - present.from) / 2 : 0;
      if (present) moveTo({ from: index - half, to: index + half });
      this.point(index);
    },
    point(index) {
      const bar = index === undefined ? undefined : bars?.at(index);
      pointing = undefined;
      isFollowed = false;
      if (index === undefined || !bar) return chart.clearCrosshairPosition();
      const present = view();
      if (present && index < present.from + 1) moveView(index - present.from - 1);
      if (present && index > present.to - 1) moveView(index - present.to + 1);
      if (frame) pointing = bar;
      else pointTo(bar);
    },
    mark(index) {
      const bar = index === undefined ? undefined : bars?.at(index);
      const present = view();
      const inSight =
        present && index !== undefined && index >= present.from && index <= present.to;
      pointing = undefined;
      isFollowed = Boolean(bar && inSight);
      if (bar && inSight) pointTo(bar);
      else chart.clearCrosshairPosition();
    },
    series() {
      const traded = new Map(
        volumes.data().map((item) => [item.time, 'value' in item ? item.value : 0]),
      );
      return candles.data().flatMap((item, inHeld) => {
        if (!('open' in item)) return [];
        const { time, open, high, low, close } = item;
        const moved = isMoving(inHeld) ? bars?.at(moving) : undefined;
        const shown = { open, high, low, close, volume: traded.get(time) ?? 0 };
        return [{ time: toUnixSeconds(Number(time)), ...shown, ...moved }];
      });
    },
    timesInSight() {
      const range = scale.getVisibleRange();
      return range ? [Number(range.from), Number(range.to)] : undefined;
    },
    linePrices: lines.prices,
    tagBoxes: () => layer.boxes.filter((box) => box !== undefined),
    heightOf: (at) => candles.priceToCoordinate(at) ?? undefined,
    remove() {
      removed = true;
      cancelAnimationFrame(frame);
      scrolling.end();
      undrag();
      undragAxis();
      stopTurning();
      chart.remove();
    },
  };
}

/** The smallest range that holds both. */
function union(one: PriceRange, other: PriceRange | undefined): PriceRange {
  if (!other) return one;
  return {
    minValue: Math.min(one.minValue, other.minValue),
    maxValue: Math.max(one.maxValue, other.maxValue),
  };
}

const SCALE_MODES = {
  linear: PriceScaleMode.Normal,
  logarithmic: PriceScaleMode.Logarithmic,
  percent: PriceScaleMode.Percentage,
} as const;

function snapped(price: number | null, precision: number): number | undefined {
  return price !== null && price > 0 ? Number(price.toFixed(precision)) : undefined;
}

/** The library's own brand of unix seconds. */
function chartTime(time: number): UTCTimestamp {
  return time as UTCTimestamp;
}
