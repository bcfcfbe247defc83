import { afterEach, expect, it, vi } from 'vitest';
import { type } from '../../../src/probe/type';
import '../../../src/probe/watchSmoothness';

afterEach(() => {
  vi.restoreAllMocks();
  delete window.benchDelays;
});

it('no key is early, though timers truncate their delay', () => {
  let now = 0;
  let timer = { due: 0, run: () => {} };
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, delay: number) => {
    // The start of a task takes a while.
    timer = { due: now + Math.trunc(delay) + 0.4, run };
    return 0;
  }) as never);
  document.execCommand = () => true;
  window.benchDelays = [];
  const end = type(document.createElement('input'));
  for (let key = 0; key < 20; key++) {
    now = timer.due;
    timer.run();
  }
  end();
  expect(window.benchDelays).toHaveLength(20);
  for (const delay of window.benchDelays) {
    expect(delay).toBeGreaterThanOrEqual(0.4 - 1e-6);
    expect(delay).toBeLessThan(2);
  }
});
