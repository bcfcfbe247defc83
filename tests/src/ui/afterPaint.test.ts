import { beforeEach, expect, it, vi } from 'vitest';
import { afterPaint } from '../../../src/ui/nextTask';

const hide = (hidden: boolean) => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  document.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(() => {
  vi.useFakeTimers();
  return () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  };
});

it('calls after the next frame', () => {
  const task = vi.fn();
  afterPaint(task);
  vi.advanceTimersToNextFrame();
  expect(task).not.toHaveBeenCalled();
  vi.advanceTimersToNextTimer();
  expect(task).toHaveBeenCalledTimes(1);
});

it.each([
  ['is hidden', true],
  ['is hidden before its frame', false],
])('calls once, without a frame, where the page %s', (_, hiddenBefore) => {
  const task = vi.fn();
  // A hidden page gets no frames.
  vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(7);
  const cancel = vi.spyOn(globalThis, 'cancelAnimationFrame');
  if (hiddenBefore) hide(true);
  afterPaint(task);
  hide(true);
  vi.advanceTimersByTime(0);
  expect(cancel).toHaveBeenCalledWith(7);
  hide(false);
  vi.runAllTimers();
  expect(task).toHaveBeenCalledTimes(1);
});
