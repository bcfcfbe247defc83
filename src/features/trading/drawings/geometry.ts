import { toDecimal, toNumber } from '#domain/core/decimal';
import type { Anchor, Drawing } from './drawing';

/** Px from the upper left corner of the pane. */
export interface Point {
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

/** Where times and prices are in the pane. Undefined before there is a view. */
export interface Projection extends Size {
  xOf(time: Anchor['time']): number | undefined;
  yOf(price: number): number | undefined;
}

interface Line {
  from: Point;
  to: Point;
  /** Drawn thinner: it only belongs to the drawing. */
  faint?: true;
}

export interface Label {
  at: Point;
  /** Which of the drawing's texts. */
  text: number;
  /** Where the text is beside `at`. */
  side: 'above' | 'leftAbove' | 'middle' | 'right';
}

/** What a drawing is in the pane. */
export interface Shape {
  /** Where its anchors are; those of lines across the pane are kept in sight. */
  anchors: Point[];
  lines: Line[];
  /** Corners of areas that are tinted. */
  areas: Point[][];
  labels: Label[];
}

/** Of the distance between the two anchors, from the second one back. */
export const FIBONACCI = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1] as const;
/** Handles of lines across the pane keep this distance from its edges, px. */
const INSET = 24;

/** Undefined before there is a view. */
export function shapeOf(
  { kind, anchors }: Pick<Drawing, 'kind' | 'anchors'>,
  pane: Projection,
): Shape | undefined {
  const points: Point[] = [];
  for (const { time, price } of anchors) {
    const x = pane.xOf(time);
    const y = pane.yOf(toNumber(toDecimal(price)));
    if (x === undefined || y === undefined) return undefined;
    points.push({ x, y });
  }
  const [a, b = a, c] = points;
  if (!a || !b) return undefined;
  const { width, height } = pane;
  const shape: Shape = { anchors: points, lines: [], areas: [], labels: [] };
  const line = (from: Point, to: Point) => shape.lines.push({ from, to });
  const label = (at: Point, side: Label['side'], text = 0) => shape.labels.push({ at, side, text });
  switch (kind) {
    case 'trend':
      line(a, b);
      break;
    case 'ray':
      line(a, beyond(a, b, pane));
      break;
    case 'horizontal':
      line({ x: 0, y: a.y }, { x: width, y: a.y });
      shape.anchors = [{ x: within(a.x, width), y: a.y }];
      label({ x: width, y: a.y }, 'leftAbove');
      break;
    case 'vertical':
      line({ x: a.x, y: 0 }, { x: a.x, y: height });
      shape.anchors = [{ x: a.x, y: within(a.y, height) }];
      break;
    case 'rectangle': {
      const corners = [a, { x: b.x, y: a.y }, b, { x: a.x, y: b.y }];
      corners.forEach((corner, at) => {
        line(corner, corners[(at + 1) % 4] ?? corner);
      });
      shape.areas.push(corners);
      break;
    }
    case 'channel': {
      line(a, b);
      if (!c) break;
      const slope = b.x === a.x ? 0 : (b.y - a.y) / (b.x - a.x);
      const rise = c.y - (a.y + slope * (c.x - a.x));
      const [low, high] = [
        { x: a.x, y: a.y + rise },
        { x: b.x, y: b.y + rise },
      ] as const;
      line(low, high);
      shape.lines.push({
        from: { x: a.x, y: a.y + rise / 2 },
        to: { x: b.x, y: b.y + rise / 2 },
        faint: true,
      });
      shape.areas.push([a, b, high, low]);
      break;
    }
    case 'fibonacci': {
      const [first, second] = anchors.map(({ price }) => toNumber(toDecimal(price)));
      if (first === undefined || second === undefined) break;
      const left = Math.min(a.x, b.x);
      const right = Math.max(a.x, b.x);
      shape.lines.push({ from: a, to: b, faint: true });
      FIBONACCI.forEach((level, at) => {
        const y = pane.yOf(second + (first - second) * level);
        if (y === undefined) return;
        line({ x: left, y }, { x: right, y });
        label({ x: right, y }, 'right', at);
      });
      break;
    }
    case 'measure': {
      const corners = [a, { x: b.x, y: a.y }, b, { x: a.x, y: b.y }];
      const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
      line({ x: middle.x, y: a.y }, { x: middle.x, y: b.y });
      line({ x: a.x, y: middle.y }, { x: b.x, y: middle.y });
      shape.areas.push(corners);
      label({ x: middle.x, y: Math.min(a.y, b.y) }, 'above');
      break;
    }
    case 'text':
      label(a, 'middle');
      break;
  }
  return shape;
}

function within(at: number, size: number): number {
  return Math.min(Math.max(at, Math.min(INSET, size / 2)), Math.max(size - INSET, size / 2));
}

/** Where the ray from `a` through `b` is outside of the pane. */
function beyond(a: Point, b: Point, { width, height }: Size): Point {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const longest = Math.max(Math.abs(dx), Math.abs(dy));
  if (longest === 0) return b;
  const far = Math.abs(a.x) + Math.abs(a.y) + width + height;
  const factor = Math.max(1, far / longest);
  return { x: a.x + dx * factor, y: a.y + dy * factor };
}

/** A box around a label, px. */
export interface Box extends Size, Point {}

/** How far a point is from a shape; its labels are where `boxes` says. */
export function distanceTo(point: Point, shape: Shape, boxes: readonly Box[]): number {
  return Math.min(
    Number.POSITIVE_INFINITY,
    ...shape.lines.map(({ from, to }) => toLine(point, from, to)),
    ...boxes.map((box) => toBox(point, box)),
  );
}

function toLine(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length;
  const at = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - from.x - at * dx, point.y - from.y - at * dy);
}

function toBox({ x, y }: Point, box: Box): number {
  const across = Math.max(box.x - x, 0, x - box.x - box.width);
  const down = Math.max(box.y - y, 0, y - box.y - box.height);
  return Math.hypot(across, down);
}

/** Of some prices the one nearest to `y` within `reach` px; undefined where none is. */
export function magnetic(
  prices: readonly number[],
  y: number,
  reach: number,
  yOf: Projection['yOf'],
): number | undefined {
  let nearest: number | undefined;
  let distance = reach;
  for (const price of prices) {
    const at = yOf(price);
    if (at === undefined || Math.abs(at - y) > distance) continue;
    distance = Math.abs(at - y);
    nearest = price;
  }
  return nearest;
}
