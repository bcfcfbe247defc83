import { useRef } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PullToRefresh } from '../../../src/ui/PullToRefresh';
import { renderSettled } from '../rendering';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function list(onRefresh: () => void) {
  function List() {
    const scroller = useRef<HTMLDivElement>(null);
    return (
      <PullToRefresh scroller={scroller} onRefresh={onRefresh} className="list">
        <p>{'rows'}</p>
      </PullToRefresh>
    );
  }
  const { container } = await renderSettled(<List />);
  await vi.dynamicImportSettled();
  const scroller = container.firstElementChild as HTMLElement;
  const touch = (type: string, clientX: number, clientY: number) => {
    const event = new Event(type, { bubbles: true, cancelable: true });
    Object.assign(event, { touches: type === 'touchend' ? [] : [{ clientX, clientY }] });
    scroller.dispatchEvent(event);
    return event;
  };
  return { scroller, touch, state: () => scroller.dataset.pull };
}

test('refreshes if it is pulled far enough, and closes after 500 ms (screens.md#pull-to-refresh)', async () => {
  const refresh = vi.fn();
  const { touch, state } = await list(refresh);
  touch('touchstart', 100, 100);
  expect(touch('touchmove', 100, 150).defaultPrevented).toBe(true);
  expect(state()).toBe('pulling');
  touch('touchmove', 100, 320);
  expect(state()).toBe('ready');
  touch('touchend', 100, 320);
  expect(refresh).toHaveBeenCalledOnce();
  expect(state()).toBe('refreshing');
  vi.advanceTimersByTime(499);
  expect(state()).toBe('refreshing');
  vi.advanceTimersByTime(1);
  expect(state()).toBe('closing');
  vi.advanceTimersByTime(150);
  expect(state()).toBeUndefined();
});

test('does nothing if it is released early', async () => {
  const refresh = vi.fn();
  const { touch, state } = await list(refresh);
  touch('touchstart', 100, 100);
  touch('touchmove', 100, 140);
  touch('touchend', 100, 140);
  vi.advanceTimersByTime(150);
  expect(refresh).not.toHaveBeenCalled();
  expect(state()).toBeUndefined();
});

test('does not start in a scrolled list, or if the finger moves up or sideways', async () => {
  const refresh = vi.fn();
  const { scroller, touch, state } = await list(refresh);
  touch('touchstart', 100, 300);
  expect(touch('touchmove', 100, 200).defaultPrevented).toBe(false);
  touch('touchmove', 100, 700);
  touch('touchend', 100, 700);
  touch('touchstart', 100, 100);
  expect(touch('touchmove', 400, 150).defaultPrevented).toBe(false);
  touch('touchend', 400, 150);
  scroller.scrollTop = 40;
  touch('touchstart', 100, 100);
  expect(touch('touchmove', 100, 500).defaultPrevented).toBe(false);
  touch('touchend', 100, 500);
  expect(refresh).not.toHaveBeenCalled();
  expect(state()).toBeUndefined();
});

test('a second finger ends the pull', async () => {
  const refresh = vi.fn();
  const { scroller, touch, state } = await list(refresh);
  const rows = scroller.firstElementChild as HTMLElement;
  touch('touchstart', 100, 100);
  touch('touchmove', 100, 320);
  expect(rows.style.transform).not.toBe('');
  const second = Object.assign(new Event('touchstart'), {
    touches: [
      { clientX: 100, clientY: 320 },
      { clientX: 200, clientY: 320 },
    ],
  });
  scroller.dispatchEvent(second);
  touch('touchend', 100, 320);
  vi.advanceTimersByTime(150);
  expect(refresh).not.toHaveBeenCalled();
  expect(rows.style.transform).toBe('');
  expect(state()).toBeUndefined();
});
