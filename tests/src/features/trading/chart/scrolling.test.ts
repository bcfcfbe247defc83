import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchScrolling } from '../../../../../src/features/trading/chart/scrolling';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function watched() {
  const host = document.createElement('div');
  document.body.append(host);
  const onRest = vi.fn();
  const scrolling = watchScrolling(host, onRest);
  const send = (type: string, pointerId = 1) => {
    const event = Object.assign(new Event(type, { bubbles: true }), { pointerId });
    host.dispatchEvent(event);
  };
  return { scrolling, onRest, send };
}

test('a press lasts until the fling after it has come to rest', () => {
  const { scrolling, onRest, send } = watched();
  scrolling.moved();
  expect(scrolling.lasts()).toBe(false);
  send('pointerdown');
  vi.advanceTimersByTime(60_000);
  send('pointerup');
  for (let moves = 0; moves < 20; moves++) {
    vi.advanceTimersByTime(100);
    scrolling.moved();
  }
  expect(scrolling.lasts()).toBe(true);
  expect(onRest).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(scrolling.lasts()).toBe(false);
  expect(onRest).toHaveBeenCalledTimes(1);
  scrolling.end();
});

test('a press during a fling ends it; a second finger does not end the first', () => {
  const { scrolling, onRest, send } = watched();
  send('pointerdown', 1);
  send('pointerup', 1);
  send('pointerdown', 2);
  expect(onRest).toHaveBeenCalledTimes(1);
  send('pointerdown', 3);
  send('pointercancel', 2);
  vi.advanceTimersByTime(1000);
  expect(scrolling.lasts()).toBe(true);
  expect(onRest).toHaveBeenCalledTimes(1);
  send('pointerup', 3);
  vi.advanceTimersByTime(1000);
  expect(onRest).toHaveBeenCalledTimes(2);
  scrolling.end();
});

test('nothing is reported after the end', () => {
  const { scrolling, onRest, send } = watched();
  send('pointerdown');
  send('pointerup');
  scrolling.end();
  vi.advanceTimersByTime(1000);
  expect(onRest).not.toHaveBeenCalled();
});
