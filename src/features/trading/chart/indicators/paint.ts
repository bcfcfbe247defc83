import type { IndicatorStyle } from '../../../../instruments/indicatorStyle';
import type { Stretch } from '../heldBars';
import type { Values } from './values';

/** An indicator's canvas. All lengths are the canvas' own pixels. */
export interface Stage {
  context: CanvasRenderingContext2D;
  /** Of the canvas. */
  width: number;
  /** Pixels of the canvas for one px of the page. */
  ratio: number;
  /** Distance of two bars. */
  spacing: number;
  /** The bars in sight. */
  sight: Stretch;
  x(index: number): number;
  y(value: number): number;
}

export interface Painted {
  style: IndicatorStyle;
  values: Values;
  /** By how many bars each line is drawn later than it is computed. */
  shifts: readonly number[];
  colours: readonly string[];
}

/**
 * Draws what an indicator has computed of bar `from` to bar `to`: the segments between them, and the dots, steps and
 * columns of the bars after `from`.
 */
export function paintIndicator(stage: Stage, indicator: Painted, from: number, to: number): void {
  const { style, colours } = indicator;
  const { context, ratio } = stage;
  context.save();
  context.lineJoin = 'round';
  if (style.area) paintArea(stage, indicator, style.area, from, to);
  style.shapes.forEach((shape, line) => {
    context.strokeStyle = context.fillStyle = colours[line] ?? '';
    context.lineWidth = Math.max(1, Math.round(1.5 * ratio));
    context.setLineDash(shape === 'dashes' ? [4 * ratio, 3 * ratio] : []);
    PAINT[shape](stage, pointsOf(stage, indicator, line, from, to));
  });
  context.restore();
}

/** Dotted lines from edge to edge. */
export function paintLevels(stage: Stage, levels: readonly number[], colour: string): void {
  const { context, ratio, width } = stage;
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = Math.max(1, Math.floor(ratio));
  context.setLineDash([2 * ratio, 3 * ratio]);
  for (const level of levels) {
    const y = Math.round(stage.y(level)) + 0.5;
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
  }
  context.restore();
}

interface Point {
  x: number;
  /** NaN where there is no value. */
  y: number;
}

/** The points of a line in sight, and one at either side. */
function pointsOf(
  stage: Stage,
  { values, shifts }: Painted,
  line: number,
  from: number,
  to: number,
): Point[] {
  const shift = shifts[line] ?? 0;
  const first = Math.max(from, Math.floor(stage.sight.from) - 1 - shift);
  const last = Math.min(to, Math.ceil(stage.sight.to) + 1 - shift);
  const points: Point[] = [];
  for (let row = first; row <= last; row++) {
    const value = values.at(row, line);
    const y = Number.isNaN(value) ? value : stage.y(value);
    points.push({ x: stage.x(row + shift), y });
  }
  return points;
}

function paintLine({ context }: Stage, points: readonly Point[]): void {
  context.beginPath();
  let pen = false;
  for (const { x, y } of points) {
    if (pen) context.lineTo(x, y);
    else context.moveTo(x, y);
    pen = !Number.isNaN(y);
  }
  context.stroke();
}

function paintDots({ context, ratio, spacing }: Stage, points: readonly Point[]): void {
  const radius = Math.min(2 * ratio, Math.max(ratio, spacing / 4));
  context.beginPath();
  for (const { x, y } of points.slice(1)) {
    context.moveTo(x + radius, y);
    if (!Number.isNaN(y)) context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  context.fill();
}

/** Level from bar to bar; a new session begins elsewhere. */
function paintSteps({ context, ratio, spacing }: Stage, points: readonly Point[]): void {
  context.lineWidth = Math.max(1, Math.floor(ratio));
  context.beginPath();
  for (const { x, y } of points.slice(1)) {
    const level = Math.round(y) + 0.5;
    context.moveTo(x - spacing / 2, level);
    if (!Number.isNaN(level)) context.lineTo(x + spacing / 2, level);
  }
  context.stroke();
}

function paintColumns(stage: Stage, points: readonly Point[]): void {
  const { context, spacing, ratio } = stage;
  const base = Math.round(stage.y(0));
  const width = Math.max(1, Math.floor(spacing - Math.max(1, ratio)));
  context.globalAlpha = 0.5;
  for (const { x, y } of points.slice(1)) {
    if (Number.isNaN(y)) continue;
    const top = Math.min(y, base);
    context.fillRect(Math.round(x - width / 2), top, width, Math.abs(base - y));
  }
  context.globalAlpha = 1;
}

const PAINT = {
  line: paintLine,
  dashes: paintLine,
  dots: paintDots,
  steps: paintSteps,
  columns: paintColumns,
} as const;

/** Between two lines, in the colour of the one that is above. */
function paintArea(
  stage: Stage,
  painted: Painted,
  [one, other]: readonly [number, number],
  from: number,
  to: number,
): void {
  const { context } = stage;
  const upper = pointsOf(stage, painted, one, from, to);
  const lower = pointsOf(stage, painted, other, from, to);
  /** Which line is above at a point; undefined where there is none. */
  const above = (at: number) => {
    const difference = (lower[at]?.y ?? Number.NaN) - (upper[at]?.y ?? Number.NaN);
    return Number.isNaN(difference) ? undefined : difference >= 0 ? one : other;
  };
  context.globalAlpha = 0.08;
  let begin = 0;
  for (let at = 1; at <= upper.length; at++) {
    const line = above(at - 1);
    if (line !== undefined && above(at) === line) continue;
    // Where the lines cross, the area goes on to the next bar.
    const end = above(at) === undefined ? at : at + 1;
    if (line !== undefined && end - begin > 1) {
      context.fillStyle = painted.colours[line] ?? '';
      context.beginPath();
      for (const { x, y } of upper.slice(begin, end)) context.lineTo(x, y);
      for (const { x, y } of lower.slice(begin, end).reverse()) context.lineTo(x, y);
      context.fill();
    }
    begin = at;
  }
  context.globalAlpha = 1;
}
