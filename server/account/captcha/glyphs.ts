/**
 * The alphabet of the captcha, by pen strokes in a box of 4 wide and 6 high: no
 * font has to be installed, and each point can be moved by itself. Without
 * letters that look alike.
 */
const PEN_STROKES: Readonly<Record<string, string>> = {
  '2': '0,1.5 0.6,0.3 2,0 3.4,0.4 4,1.6 3.4,2.8 1.6,4.4 0,6 4,6',
  '3': '0.2,0.6 1.6,0 3.2,0.3 3.8,1.4 3.2,2.5 1.6,2.9 3.3,3.3 4,4.5 3.3,5.6 1.8,6 0,5.4',
  '4': '3,6 3,0 0,4 4,4',
  '6': '3.6,0.3 2,0.6 0.7,2 0.1,4 0.6,5.4 2,6 3.4,5.4 3.9,4.2 3.3,3.1 2,2.7 0.6,3.3',
  '7': '0,0 4,0 2.4,3 1.4,6',
  '9': '3.6,2.6 2.2,3.3 0.7,2.9 0.1,1.7 0.6,0.5 2,0 3.4,0.6 3.9,2.2 3.3,4.2 2,5.5 0.5,5.8',
  A: '0,6 2,0 4,6 / 0.8,3.9 3.2,3.9',
  C: '4,1.1 2.9,0.1 1.3,0.2 0.2,1.6 0,3.2 0.4,4.9 1.6,5.9 3,5.8 4,4.8',
  F: '4,0 0,0 0,6 / 0,2.9 3.2,2.9',
  H: '0,0 0,6 / 4,0 4,6 / 0,3 4,3',
  J: '1.4,0 4,0 / 3,0 3,4.4 2.4,5.7 1.2,6 0.2,5.2 0,4.2',
  K: '0,0 0,6 / 4,0 0.1,3.4 / 1.3,2.5 4,6',
  L: '0,0 0,6 3.8,6',
  M: '0,6 0.2,0 2,3.8 3.8,0 4,6',
  N: '0,6 0,0 4,6 4,0',
  P: '0,6 0,0 2.6,0 3.8,0.8 3.9,2.2 2.8,3.2 0,3.2',
  R: '0,6 0,0 2.6,0 3.8,0.8 3.8,2.1 2.8,3 0,3 / 1.8,3.1 4,6',
  T: '0,0 4,0 / 2,0 2,6',
  W: '0,0 0.9,6 2,2.2 3.1,6 4,0',
  X: '0,0 4,6 / 4,0 0,6',
  Y: '0,0 2,2.9 4,0 / 2,2.9 2,6',
};

export type Point = [x: number, y: number];

export const LETTERS: ReadonlyMap<string, readonly Point[][]> = new Map(
  Object.entries(PEN_STROKES).map(([letter, strokes]) => [
    letter,
    strokes
      .split(' / ')
      .map((line) => line.split(' ').map((point) => point.split(',').map(Number) as Point)),
  ]),
);
