import type { Drawing } from './drawing';
import type { Box, Label, Point, Shape } from './geometry';

/** Colours and font of the theme, as CSS. */
export interface DrawingTheme {
  colours: Readonly<Record<Drawing['style']['colour'], string>>;
  surface: string;
  text: string;
  accent: string;
  font: string;
}

/** How a pane is painted: in px, scaled to the device's pixels. */
export interface Canvas {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  theme: DrawingTheme;
}

/** How far from a point the finger holds it, so that it does not hide it, px. */
export const LIFT = 44;
const FONT_SIZE = 11;
const TEXT_SIZE = 13;
const PADDING = 4;
const DASH: Readonly<Record<Drawing['style']['dash'], readonly number[]>> = {
  solid: [],
  dashed: [4, 3],
  dotted: [1, 2],
};

/** Paints a drawing. Returns the boxes around its labels, where it can be touched too. */
export function paintDrawing(
  canvas: Canvas,
  { kind, style }: Drawing,
  shape: Shape,
  texts: readonly string[],
): Box[] {
  const { context, theme } = canvas;
  const colour = theme.colours[style.colour];
  context.fillStyle = colour;
  context.globalAlpha = 0.12;
  for (const area of shape.areas) {
    context.beginPath();
    for (const { x, y } of area) context.lineTo(x, y);
    context.fill();
  }
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  for (const { from, to, faint } of shape.lines) {
    const width = faint ? 1 : style.width;
    context.lineWidth = width;
    context.setLineDash(DASH[faint ? 'dashed' : style.dash].map((length) => length * width));
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
  }
  context.setLineDash([]);
  const boxes: Box[] = [];
  for (const label of shape.labels) {
    // Levels that lie close together would cover each other's prices.
    const covered = boxes.some(
      ({ y, height }) => Math.abs(y + height / 2 - label.at.y) < FONT_SIZE,
    );
    if (covered) continue;
    boxes.push(paintLabel(canvas, label, texts[label.text] ?? '', colour, kind === 'text'));
  }
  return boxes;
}

function paintLabel(
  { context, theme, width }: Canvas,
  { at, side }: Label,
  text: string,
  colour: string,
  large: boolean,
): Box {
  const size = large ? TEXT_SIZE : FONT_SIZE;
  context.font = `${size}px ${theme.font}`;
  const box: Box = {
    x: at.x,
    y: at.y,
    width: Math.ceil(context.measureText(text).width) + 2 * PADDING,
    height: size + 2 * PADDING,
  };
  if (side === 'middle' || side === 'above') box.x -= box.width / 2;
  if (side === 'leftAbove') box.x -= box.width + PADDING;
  if (side === 'right') {
    box.x += PADDING;
    if (box.x + box.width > width) box.x = Math.min(at.x, width) - box.width - PADDING;
  }
  if (side === 'above' || side === 'leftAbove') box.y -= box.height + PADDING;
  else box.y -= box.height / 2;
  if (side === 'above') box.y = Math.max(PADDING, box.y);
  chip(context, box, theme.surface);
  context.fillStyle = colour;
  context.textBaseline = 'middle';
  context.fillText(text, box.x + PADDING, box.y + box.height / 2 + 0.5);
  return box;
}

/** The ground of a text, so that bars behind it leave it readable. */
function chip(context: CanvasRenderingContext2D, box: Box, colour: string): void {
  context.globalAlpha = 0.8;
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, 3);
  context.fill();
  context.globalAlpha = 1;
}

/** Where the finger holds an anchor. */
export function gripOf({ x, y }: Point, height: number): Point {
  return { x, y: y + LIFT > height - LIFT / 2 ? y - LIFT : y + LIFT };
}

/** The anchors of the selected drawing; for a finger with grips beside them. */
export function paintHandles(
  { context, theme, height }: Canvas,
  anchors: readonly Point[],
  { locked, touch, chosen }: { locked: boolean; touch: boolean; chosen: number | undefined },
): void {
  context.strokeStyle = theme.accent;
  context.lineWidth = 2;
  anchors.forEach((anchor, index) => {
    if (touch && !locked) {
      const grip = gripOf(anchor, height);
      context.globalAlpha = 0.6;
      line(context, anchor, grip);
      disc(context, grip, 11, theme.surface);
      context.globalAlpha = 1;
    }
    disc(context, anchor, locked ? 3 : 5, index === chosen ? theme.accent : theme.surface);
  });
}

/** A point that is being set: lines across the pane, and its price. */
export function paintPoint(canvas: Canvas, point: Point, price: string, lifted: boolean): void {
  const { context, theme, width, height } = canvas;
  context.strokeStyle = theme.text;
  context.lineWidth = 1;
  context.globalAlpha = 0.6;
  context.setLineDash([3, 3]);
  line(context, { x: 0, y: point.y }, { x: width, y: point.y });
  line(context, { x: point.x, y: 0 }, { x: point.x, y: height });
  context.setLineDash([]);
  context.globalAlpha = 1;
  if (lifted) {
    context.strokeStyle = theme.accent;
    context.lineWidth = 2;
    disc(context, point, 5, theme.surface);
  }
  paintLabel(
    canvas,
    { at: { x: width, y: point.y }, side: 'leftAbove', text: 0 },
    price,
    theme.text,
    false,
  );
}

function line(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
}

function disc(
  context: CanvasRenderingContext2D,
  { x, y }: Point,
  radius: number,
  fill: string,
): void {
  context.fillStyle = fill;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
}
