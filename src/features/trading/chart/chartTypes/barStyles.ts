import type { Bar } from '#domain/market/kline';
import type { Stage } from '../chartStyle';

/** How a kind of chart draws its bars. */
export interface BarStyle {
  /** Draws bars `from` to `to`, which is excluded. `bar` reads one. */
  draw(stage: Stage, from: number, to: number, bar: (index: number) => Bar | undefined): void;
  /** A bar is joined to the one before it: what moves begins there. */
  joined: boolean;
}

const line = ({ ratio }: Stage) => Math.max(1, Math.floor(ratio));
const rises = (bar: Bar) => bar.close >= bar.open;
const colourOf = (stage: Stage, up: boolean) => (up ? stage.colours.up : stage.colours.down);

function forEachBar(
  from: number,
  to: number,
  bar: (index: number) => Bar | undefined,
  draw: (bar: Bar, index: number) => void,
): void {
  for (let index = from; index < to; index++) {
    const one = bar(index);
    if (one) draw(one, index);
  }
}

/** A candle as the library draws it; a hollow one has a frame. */
function drawCandle(stage: Stage, bar: Bar, index: number, colour: string, hollow: boolean): void {
  const { context, candle } = stage;
  const thick = line(stage);
  const middle = Math.round(stage.x(index));
  const top = Math.round(stage.y(Math.max(bar.open, bar.close)));
  const bottom = Math.round(stage.y(Math.min(bar.open, bar.close)));
  const high = Math.round(stage.y(bar.high));
  const low = Math.round(stage.y(bar.low));
  const left = middle - Math.floor(candle / 2);
  context.fillStyle = colour;
  context.fillRect(middle - Math.floor(thick / 2), high, thick, top - high);
  context.fillRect(middle - Math.floor(thick / 2), bottom + 1, thick, low - bottom);
  const tall = bottom - top + 1;
  // Too small for a frame around something.
  if (!hollow || candle < 3 * thick || tall < 3 * thick) {
    context.fillRect(left, top, candle, tall);
    return;
  }
  context.fillRect(left, top, candle, thick);
  context.fillRect(left, top + tall - thick, candle, thick);
  context.fillRect(left, top, thick, tall);
  context.fillRect(left + candle - thick, top, thick, tall);
}

/** Filled where the bar fell, a frame where it rose; the colour says where it ended against the bar before. */
const hollow: BarStyle = {
  joined: false,
  draw(stage, from, to, bar) {
    forEachBar(from, to, bar, (one, index) => {
      const before = bar(index - 1) ?? one;
      const up = before === one ? rises(one) : one.close >= before.close;
      drawCandle(stage, one, index, colourOf(stage, up), one.close > one.open);
    });
  },
};

const filled: BarStyle = {
  joined: false,
  draw(stage, from, to, bar) {
    forEachBar(from, to, bar, (one, index) => {
      drawCandle(stage, one, index, colourOf(stage, rises(one)), false);
    });
  },
};

/** A line from low to high, with a tick for the open on the left and the close on the right. */
const ticks: BarStyle = {
  joined: false,
  draw(stage, from, to, bar) {
    const { context, candle, ratio } = stage;
    const thick = Math.min(Math.max(1, Math.round(candle / 5)), Math.ceil(2 * ratio));
    const reach = Math.max(Math.floor(candle / 2), thick);
    forEachBar(from, to, bar, (one, index) => {
      const left = Math.round(stage.x(index)) - Math.floor(thick / 2);
      const high = Math.round(stage.y(one.high));
      const low = Math.round(stage.y(one.low));
      const open = Math.round(stage.y(one.open)) - Math.floor(thick / 2);
      const close = Math.round(stage.y(one.close)) - Math.floor(thick / 2);
      context.fillStyle = colourOf(stage, rises(one));
      context.fillRect(left, high, thick, Math.max(thick, low - high + 1));
      if (stage.spacing < 3 * ratio) return;
      context.fillRect(left - reach, open, reach, thick);
      context.fillRect(left + thick, close, reach, thick);
    });
  },
};

interface Point {
  x: number;
  y: number;
}

const closes = (
  stage: Stage,
  from: number,
  to: number,
  bar: (index: number) => Bar | undefined,
): Point[] => {
  const points: Point[] = [];
  forEachBar(from, to, bar, (one, index) => {
    points.push({ x: stage.x(index), y: stage.y(one.close) });
  });
  return points;
};

function path(context: CanvasRenderingContext2D, points: readonly Point[]): void {
  context.beginPath();
  for (const { x, y } of points) context.lineTo(x, y);
}

/** Draws a line through points. */
export function stroke({ context, ratio }: Stage, points: readonly Point[], colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = Math.max(1, Math.round(2 * ratio));
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.setLineDash([]);
  path(context, points);
  context.stroke();
}

/** Fills between points and a height. */
function fill(
  { context }: Stage,
  points: readonly Point[],
  height: number,
  style: string | CanvasGradient,
): void {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last) return;
  path(context, points);
  // What moves begins at a whole pixel where this ends.
  context.lineTo(last.x, height);
  context.lineTo(first.x, height);
  context.closePath();
  context.fillStyle = style;
  context.fill();
}

const closeLine: BarStyle = {
  joined: true,
  draw(stage, from, to, bar) {
    stroke(stage, closes(stage, from, to, bar), stage.colours.closes);
  },
};

const area: BarStyle = {
  joined: true,
  draw(stage, from, to, bar) {
    const points = closes(stage, from, to, bar);
    const gradient = stage.context.createLinearGradient(0, 0, 0, stage.height);
    gradient.addColorStop(0, stage.colours.areaTop);
    gradient.addColorStop(1, stage.colours.areaBottom);
    fill(stage, points, stage.height, gradient);
    stroke(stage, points, stage.colours.closes);
  },
};

/** Above the close of the first bar in sight as rising, below it as falling. */
const baseline: BarStyle = {
  joined: true,
  draw(stage, from, to, bar) {
    const { context, width, height, colours } = stage;
    const points = closes(stage, from, to, bar);
    const base = Math.round(stage.y(bar(stage.from)?.close ?? Number.NaN));
    if (Number.isNaN(base)) return;
    for (const [top, bottom, colour, shade] of [
      [0, base, colours.up, colours.volumeUp],
      [base, height, colours.down, colours.volumeDown],
    ] as const) {
      context.save();
      context.beginPath();
      context.rect(0, top, width, Math.max(0, bottom - top));
      context.clip();
      fill(stage, points, base, shade);
      stroke(stage, points, colour);
      context.restore();
    }
  },
};

/** The level of a baseline chart, from edge to edge. */
export function drawBase({ context, width, ratio, colours }: Stage, y: number): void {
  context.fillStyle = colours.line;
  context.fillRect(0, Math.round(y), width, Math.max(1, Math.floor(ratio)));
}

export const BAR_STYLES = {
  hollow,
  bars: ticks,
  line: closeLine,
  area,
  baseline,
  'heikin-ashi': filled,
} as const satisfies Record<string, BarStyle>;
