import type { Page } from '@playwright/test';
import { sessionOf } from '../engines/bidi';
import { engine } from '../engines/engine';
import { DOWN, moveTo, touch, UP } from '../engines/session';

export interface Point {
  x: number;
  y: number;
}

/** A finger on the screen, which Playwright can only tap with. */
export interface Finger {
  press(point: Point): Promise<unknown>;
  move(point: Point): Promise<unknown>;
  lift(): Promise<unknown>;
}

export async function fingerOn(page: Page): Promise<Finger> {
  if (engine !== 'chromium') {
    const session = sessionOf(page);
    return {
      press: (point) => touch(session, [moveTo(point), DOWN]),
      move: (point) => touch(session, [moveTo(point)]),
      lift: () => touch(session, [UP]),
    };
  }
  const session = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    press: ({ x, y }) => send('touchStart', { x, y }),
    move: ({ x, y }) => send('touchMove', { x, y }),
    lift: () => send('touchEnd'),
  };
}

/** A finger moves on each frame, ms. */
const FRAME = 16;

/** Moves a finger along a path. A command for each move is so slow in BiDi that the finger seems to rest: a long press. */
export async function swipe(page: Page, [from, ...path]: readonly [Point, ...Point[]]) {
  if (engine !== 'chromium') {
    const moves = path.map((point) => moveTo(point, FRAME));
    return touch(sessionOf(page), [moveTo(from), DOWN, ...moves, UP]);
  }
  const finger = await fingerOn(page);
  const [first, ...rest] = path;
  // Sent together, for the same reason.
  await Promise.all([finger.press(from), first ? finger.move(first) : finger.lift()]);
  for (const point of rest) await finger.move(point);
  if (first) await finger.lift();
}

/** Two taps, as near in time as a double tap has to be. */
export async function tapTwice(page: Page, at: Point) {
  if (engine !== 'chromium') {
    const tap = [moveTo(at), DOWN, UP];
    return touch(sessionOf(page), [...tap, ...tap]);
  }
  const finger = await fingerOn(page);
  await Promise.all([finger.press(at), finger.lift(), finger.press(at), finger.lift()]);
}

/** So many points at equal distances, from one to another. */
export function line(from: Point, to: Point, steps: number): [Point, ...Point[]] {
  const at = (step: number) => ({
    x: from.x + ((to.x - from.x) * step) / steps,
    y: from.y + ((to.y - from.y) * step) / steps,
  });
  return [from, ...Array.from({ length: steps }, (_, step) => at(step + 1))];
}
