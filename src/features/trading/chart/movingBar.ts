/**
 * The newest bar and the line of the price, on canvases of their own between the library's. Any
 * change of a series repaints the library's whole pane; this repaints one bar, one line and one
 * label, as the library draws them.
 */

import type { ISeriesPrimitive, Time } from 'lightweight-charts';
import type { LineTag } from './chartLines';
import { createSheet, type SheetScale, viewOf } from './sheet';

/** The newest bar in coordinates of the pane, px. */
interface MovingBar {
  /** The centre of the bar; undefined where it is not in sight. */
  x: number | undefined;
  /** Distance between two bars. */
  spacing: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  /** The height of volume 0. */
  base: number;
  color: string;
  volumeColor: string;
}

/** The label of the price on the axis. */
interface PriceLabel {
  text: string;
  font: string;
  fontSize: number;
  color: string;
  background: string;
  /** What is written below it, if anything. */
  below: string | undefined;
}

/** What lines of orders tell: their price on the axis, and a text at the end of the line. */
interface Tag extends Pick<LineTag, 'y' | 'texts' | 'dragged' | 'color' | 'background'> {
  price: string;
}

/** A place in the pane, px. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Drawn {
  bar: MovingBar;
  /** Draws the bar where it is no candle, and what moves with it. */
  drawEnd: ((context: CanvasRenderingContext2D, scale: Scale) => void) | undefined;
  /** Whether the bar is drawn as a candle. */
  candle: boolean;
  label: PriceLabel;
  tags: readonly Tag[];
  /** Whether the place from `left` to the axis has no bar. */
  isFree(left: number, top: number, bottom: number): boolean;
}

export interface MovingBarLayer {
  /** To be attached to the series: when the library paints, so does the layer. */
  readonly primitive: Pick<ISeriesPrimitive<Time>, 'paneViews' | 'priceAxisPaneViews'>;
  /** The bar has moved, and the library does not paint. */
  paint(): void;
  /** Where the texts of tags were painted; undefined for those without room. */
  readonly boxes: readonly (Box | undefined)[];
}

export type Scale = SheetScale;

/** `read` gives what is to be drawn now; undefined: nothing. */
export function createMovingBarLayer(read: () => Drawn | undefined): MovingBarLayer {
  const pane = createSheet();
  const axis = createSheet();
  let boxes: readonly (Box | undefined)[] = [];
  const paintPane = (drawn = read()) =>
    pane.draw((context, scale) => {
      if (!drawn) return;
      const { bar, label, tags, isFree, candle, drawEnd } = drawn;
      if (bar.x !== undefined) {
        drawVolume(context, { ...bar, x: bar.x }, scale);
        if (candle) drawCandle(context, { ...bar, x: bar.x }, scale);
      }
      drawEnd?.(context, scale);
      drawLine(context, bar, scale);
      boxes = tags.map((tag) => drawTag(context, tag, label, isFree, scale));
    });
  const paintAxis = (drawn = read()) =>
    axis.draw((context, scale) => {
      if (!drawn) return;
      const { tags, label, bar } = drawn;
      for (const { y, price, color, background } of tags)
        drawLabel(
          context,
          y,
          { ...label, text: price, below: undefined, color, background },
          scale,
        );
      const high = labelHeight(label.fontSize);
      const bottom = scale.bitmapSize.height / scale.verticalPixelRatio;
      const rows = label.below === undefined ? 1 : 2;
      const others = tags.map(({ y }) => y);
      drawLabel(context, freePlace(bar.close, high, others, bottom, rows), label, scale);
    });
  const paneViews = [viewOf(pane, () => paintPane())];
  const axisViews = [viewOf(axis, () => paintAxis())];
  return {
    primitive: { paneViews: () => paneViews, priceAxisPaneViews: () => axisViews },
    get boxes() {
      return boxes;
    },
    paint() {
      const drawn = read();
      paintPane(drawn);
      paintAxis(drawn);
    },
  };
}

/** The library's width of a candle: the whole distance when narrow, four fifths when wide. */
export function candleWidth(spacing: number, ratio: number): number {
  const line = Math.floor(ratio);
  const narrow = spacing >= 2.5 && spacing <= 4;
  const share = 1 - (0.2 * Math.atan(Math.max(4, spacing) - 4)) / (Math.PI * 0.5);
  const width = narrow
    ? Math.floor(3 * ratio)
    : Math.max(line, Math.min(Math.floor(spacing * share * ratio), Math.floor(spacing * ratio)));
  // Body and wick have a common middle.
  return width >= 2 && width % 2 !== line % 2 ? width - 1 : width;
}

/** Left and right edge of a column of the volumes. */
function column(x: number, spacing: number, ratio: number): { left: number; right: number } {
  const gap = Math.ceil(spacing * ratio) <= 1 ? 0 : Math.max(1, Math.floor(ratio));
  const width = Math.round(spacing * ratio) - gap;
  const edges = (at: number) => {
    const middle = Math.round(at * ratio);
    const left = middle - Math.floor(width / 2);
    return { middle, left, right: left + width - 1 };
  };
  const { left, right } = edges(x);
  const before = edges(x - spacing);
  // A column whose neighbour was rounded away from it fills the gap.
  const fills = before.middle <= (x - spacing) * ratio && left - before.right !== gap + 1;
  return { left: fills ? before.right + gap + 1 : left, right: Math.max(left, right) };
}

function drawVolume(
  context: CanvasRenderingContext2D,
  bar: MovingBar & { x: number },
  { horizontalPixelRatio: across, verticalPixelRatio: down }: Scale,
): void {
  const { left, right } = column(bar.x, bar.spacing, across);
  const tick = Math.max(1, Math.floor(down));
  const base = Math.round(bar.base * down) - Math.floor(tick / 2);
  const top = Math.round(bar.volume * down);
  context.fillStyle = bar.volumeColor;
  context.fillRect(left, top, right - left + 1, base + tick - top);
}

function drawCandle(
  context: CanvasRenderingContext2D,
  bar: MovingBar & { x: number },
  { horizontalPixelRatio: across, verticalPixelRatio: down }: Scale,
): void {
  const width = candleWidth(bar.spacing, across);
  const line = Math.floor(across);
  const middle = Math.round(bar.x * across);
  const bodyTop = Math.round(Math.min(bar.open, bar.close) * down);
  const bodyBottom = Math.round(Math.max(bar.open, bar.close) * down);
  const high = Math.round(bar.high * down);
  const low = Math.round(bar.low * down);
  context.fillStyle = bar.color;
  context.fillRect(middle - Math.floor(line / 2), high, line, low - high + 1);
  context.fillRect(middle - Math.floor(width / 2), bodyTop, width, bodyBottom - bodyTop + 1);
}

/** A dotted line from edge to edge. */
function drawLine(
  context: CanvasRenderingContext2D,
  { close, color }: MovingBar,
  { horizontalPixelRatio, verticalPixelRatio, bitmapSize }: Scale,
): void {
  const width = Math.floor(horizontalPixelRatio);
  const y = Math.round(close * verticalPixelRatio) + (width % 2 ? 0.5 : 0);
  context.strokeStyle = color;
  context.lineWidth = width;
  context.setLineDash([width, width]);
  context.beginPath();
  context.moveTo(0, y);
  context.lineTo(bitmapSize.width, y);
  context.stroke();
}

/** Measures of the library's labels, as shares of the font's size. */
const PADDING = 2.5 / 12;
const INNER = 5 / 12;
const TICK = 5;
const BORDER = 1;
const RADIUS = 2;

/** The height of a label with one text, px. */
export function labelHeight(fontSize: number): number {
  return fontSize * (1 + 2 * PADDING);
}

/** `middle`: of its first text. */
function drawLabel(
  context: CanvasRenderingContext2D,
  middle: number,
  { text, below, font, fontSize, color, background }: PriceLabel,
  { horizontalPixelRatio: across, verticalPixelRatio: down }: Scale,
): void {
  const height = labelHeight(fontSize);
  const line = Math.max(1, Math.floor(down));
  let tall = Math.round(height * down);
  if (tall % 2 !== line % 2) tall += 1;
  const centre = Math.round(middle * down) - Math.floor(down * 0.5);
  const top = Math.floor(centre + line / 2 - tall / 2);

  context.font = font;
  context.textBaseline = 'middle';
  // As wide and as high as any text of so many digits.
  const metrics = context.measureText(text.replace(/[2-9]/g, '0'));
  const wide = BORDER + 2 * INNER * fontSize + Math.ceil(metrics.width) + TICK;
  context.fillStyle = background;
  context.beginPath();
  const radius = RADIUS * across;
  const lines = below === undefined ? 1 : 2;
  context.roundRect(0, top, Math.round(wide * across), lines * tall, [0, radius, radius, 0]);
  context.fill();

  context.save();
  context.scale(across, down);
  context.fillStyle = color;
  const drop = (metrics.actualBoundingBoxAscent - metrics.actualBoundingBoxDescent) / 2;
  const left = TICK + INNER * fontSize;
  context.fillText(text, left, (top + tall / 2) / down + drop);
  if (below !== undefined) context.fillText(below, left, (top + tall * 1.5) / down + drop);
  context.restore();
}

/** At the end of the line, beside the axis, the longest text that covers no bar. */
function drawTag(
  context: CanvasRenderingContext2D,
  { y, texts, dragged, color, background }: Tag,
  { font, fontSize }: PriceLabel,
  isFree: Drawn['isFree'],
  { horizontalPixelRatio: across, verticalPixelRatio: down, bitmapSize }: Scale,
): Box | undefined {
  const height = labelHeight(fontSize);
  const inner = INNER * fontSize;
  const right = bitmapSize.width / across;
  const top = y - height / 2;
  context.save();
  context.scale(across, down);
  context.font = font;
  context.textBaseline = 'middle';
  const leftOf = (text: string) => right - Math.ceil(context.measureText(text).width) - 2 * inner;
  const text = texts.find((each) => dragged || isFree(leftOf(each), top, top + height));
  const left = text === undefined ? right : leftOf(text);
  if (text !== undefined) {
    context.fillStyle = background;
    context.beginPath();
    context.roundRect(left, top, right - left, height, [RADIUS, 0, 0, RADIUS]);
    context.fill();
    context.fillStyle = color;
    context.fillText(text, left + inner, y + fontSize / 12);
  }
  context.restore();
  return text === undefined ? undefined : { left, right, top, bottom: top + height };
}

/** Sums of coordinates are not exact: labels that touch may seem to overlap by so much, px. */
const INEXACT = 1e-6;

/**
 * The place of a label of `rows` texts nearest to `ideal` that covers no other one. All are middles of the first text, px from
 * the top of the axis.
 */
export function freePlace(
  ideal: number,
  height: number,
  others: readonly number[],
  axis: number,
  rows = 1,
): number {
  const half = height / 2;
  const inside = Math.abs(ideal - axis / 2) < axis / 2 + half;
  const at = inside ? Math.min(axis - half, Math.max(half, ideal)) : ideal;
  const free = (y: number) =>
    others.every((other) => y - other > height - INEXACT || other - y > rows * height - INEXACT);
  const [nearest = at] = [at, ...others.flatMap((other) => [other - rows * height, other + height])]
    .filter(free)
    .sort((one, other) => Math.abs(one - at) - Math.abs(other - at));
  return nearest;
}
