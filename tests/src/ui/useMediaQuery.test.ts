import { expect, test, vi } from 'vitest';
import { matchesMedia, WIDE, watchMedia } from '../../../src/ui/useMediaQuery';

const browser = window as unknown as {
  happyDOM: { setViewport(size: { width: number; height: number }): void };
};

test('a query is watched until its watcher ends', () => {
  browser.happyDOM.setViewport({ width: 360, height: 740 });
  const changed = vi.fn();
  const stop = watchMedia(WIDE, changed);
  expect(matchesMedia(WIDE)).toBe(false);
  browser.happyDOM.setViewport({ width: 1440, height: 900 });
  expect(matchesMedia(WIDE)).toBe(true);
  expect(changed).toHaveBeenCalledOnce();
  stop();
  browser.happyDOM.setViewport({ width: 360, height: 740 });
  expect(changed).toHaveBeenCalledOnce();
});

test('a query is made once', () => {
  const made = vi.spyOn(window, 'matchMedia');
  for (let renders = 0; renders < 3; renders++) matchesMedia('(min-width: 7rem)');
  expect(made).toHaveBeenCalledOnce();
});
