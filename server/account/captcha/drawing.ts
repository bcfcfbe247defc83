import { randomInt } from 'node:crypto';
import { LETTERS, type Point } from './glyphs';

/** Size in CSS pixels. */
const WIDTH = 240;
const HEIGHT = 80;
/** Pixels of the picture for each CSS pixel: phones have two or three. */
const DENSITY = 2;
/** CSS pixels for one unit of the glyphs' box. */
const UNIT = 7.5;
const PAPER = '#eef0f4';

type Move = (x: number, y: number) => Point;

/**
 * Draws the text as SVG. Letters are turned, sheared, scaled and bent by waves; scratches have the
 * same colour.
 */
export function drawing(text: string): string {
  const wave = waves();
  const ink = `hsl(${randomInt(360)} ${randomInt(30, 70)}% ${randomInt(22, 38)}%)`;
  const step = (WIDTH - 40) / text.length;
  const letters = [...text].map((letter, index) => {
    const place = letterPlace(20 + step * (index + 0.5), HEIGHT / 2);
    const width = between(3.2, 5);
    const lines = (LETTERS.get(letter) ?? []).map((stroke) =>
      path(smooth(stroke).map(([x, y]) => wave(...place(x, y)))),
    );
    return pen(lines.join(''), ink, width);
  });
  const scratches = Array.from({ length: 4 }, () => {
    const from = between(10, HEIGHT - 10);
    const to = between(10, HEIGHT - 10);
    const points = Array.from(
      { length: 13 },
      (_, i): Point => wave((i / 12) * WIDTH, from + ((to - from) * i) / 12 + between(-6, 6)),
    );
    return pen(path(points), ink, between(1, 2.4));
  });
  const specks = Array.from({ length: 60 }, () => {
    const [x, y] = [between(0, WIDTH), between(0, HEIGHT)];
    return pen(
      path([
        [x, y],
        [x + between(-6, 6), y + between(-6, 6)],
      ]),
      ink,
      between(0.8, 2),
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${DENSITY * WIDTH}" height="${DENSITY * HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<rect width="100%" height="100%" fill="${PAPER}"/>`,
    ...specks,
    ...letters,
    ...scratches,
    '</svg>',
  ].join('');
}

function letterPlace(centreX: number, centreY: number): Move {
  const angle = between(-0.35, 0.35);
  const shear = between(-0.25, 0.25);
  const wide = UNIT * between(0.8, 1.1);
  const high = UNIT * between(0.9, 1.2);
  const [dx, dy] = [between(-4, 4), between(-6, 6)];
  return (x, y) => {
    const [u, v] = [(x - 2) * wide, (y - 3) * high];
    const sheared = u + shear * v;
    return [
      centreX + dx + sheared * Math.cos(angle) - v * Math.sin(angle),
      centreY + dy + sheared * Math.sin(angle) + v * Math.cos(angle),
    ];
  };
}

function waves(): Move {
  const [phaseX, phaseY] = [between(0, 6), between(0, 6)];
  const [lengthX, lengthY] = [between(14, 22), between(26, 40)];
  const [deepX, deepY] = [between(1.5, 3), between(2, 5)];
  return (x, y) => [
    x + deepX * Math.sin(y / lengthX + phaseX),
    y + deepY * Math.sin(x / lengthY + phaseY),
  ];
}

/** Adds points between the points, so that the waves bend straight lines too. */
function smooth(points: readonly Point[]): Point[] {
  return points.flatMap(([x, y], index): Point[] => {
    const next = points[index + 1];
    if (!next) return [[x, y]];
    const [toX, toY] = next;
    return [0, 1 / 3, 2 / 3].map((t) => [x + (toX - x) * t, y + (toY - y) * t]);
  });
}

function path(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;
}

function pen(d: string, colour: string, width: number): string {
  return `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width.toFixed(1)}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function between(low: number, high: number): number {
  return low + (randomInt(1_000_000) / 1_000_000) * (high - low);
}
