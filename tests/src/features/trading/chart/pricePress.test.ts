import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChartSpace } from '../../../../../src/features/trading/chart/chartSpace';
import { watchPrices } from '../../../../../src/features/trading/chart/pricePress';

const onPrice = vi.fn();
let host: HTMLElement;
let space: ChartSpace;
let stop: () => void;

beforeEach(() => {
  vi.clearAllMocks();
  vi.useFakeTimers();
  host = document.createElement('div');
  space = {
    host,
    bars: () => undefined,
    size: () => ({ width: 300, height: 400 }),
    xOf: () => undefined,
    indexAt: () => undefined,
    yOf: () => undefined,
    priceAt: () => undefined,
    // An order's line at 200.
    hasLineAt: (y, reach) => Math.abs(y - 200) <= reach,
    moveLine: () => undefined,
    dropLine: () => undefined,
    attach: () => () => undefined,
    repaint: () => undefined,
  };
  stop = watchPrices(space, onPrice);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

function pointer(type: string, x: number, y: number, pointerType = 'touch'): void {
  const init = {
    clientX: x,
    clientY: y,
    pointerId: 1,
    isPrimary: true,
    pointerType,
    button: 0,
    cancelable: true,
  };
  host.dispatchEvent(new PointerEvent(type, init));
}

test('a press of the axis that a tag has taken asks for no price', () => {
  host.addEventListener('pointerup', (event) => event.preventDefault(), {
    capture: true,
    once: true,
  });
  stop();
  stop = watchPrices(space, onPrice);
  pointer('pointerdown', 310, 120);
  pointer('pointerup', 310, 120);
  vi.advanceTimersByTime(1000);
  expect(onPrice).not.toHaveBeenCalled();
});

test('a finger that rests on the chart asks for the price below it, one that moves or leaves does not', () => {
  pointer('pointerdown', 100, 120);
  pointer('pointermove', 103, 122);
  vi.advanceTimersByTime(499);
  expect(onPrice).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onPrice).toHaveBeenCalledExactlyOnceWith(120);
  pointer('pointerup', 103, 122);

  pointer('pointerdown', 100, 120);
  pointer('pointermove', 120, 120);
  vi.advanceTimersByTime(1000);
  pointer('pointerup', 120, 120);
  pointer('pointerdown', 100, 120);
  pointer('pointerup', 100, 120);
  vi.advanceTimersByTime(1000);
  expect(onPrice).toHaveBeenCalledTimes(1);
});

test('one press of the price axis asks for a price; two reset its scale, a drag changes it', () => {
  const press = () => {
    pointer('pointerdown', 320, 90, 'mouse');
    pointer('pointerup', 320, 90, 'mouse');
  };
  press();
  vi.advanceTimersByTime(100);
  press();
  vi.advanceTimersByTime(1000);
  expect(onPrice).not.toHaveBeenCalled();
  pointer('pointerdown', 320, 90, 'mouse');
  pointer('pointermove', 320, 140, 'mouse');
  pointer('pointerup', 320, 140, 'mouse');
  vi.advanceTimersByTime(1000);
  expect(onPrice).not.toHaveBeenCalled();
  press();
  vi.advanceTimersByTime(300);
  expect(onPrice).toHaveBeenCalledExactlyOnceWith(90);
});

test('the other button asks at once; a finger that holds is told once, and a line is dragged instead', () => {
  const menu = (pointerType: string) =>
    host.dispatchEvent(
      new PointerEvent('contextmenu', { clientX: 50, clientY: 60, pointerType, cancelable: true }),
    );
  expect(menu('mouse')).toBe(false);
  expect(onPrice).toHaveBeenCalledExactlyOnceWith(60);
  menu('touch');
  pointer('pointerdown', 100, 190);
  vi.advanceTimersByTime(1000);
  // A menu of an older Firefox does not say what made it.
  host.dispatchEvent(new MouseEvent('contextmenu', { clientX: 100, clientY: 190 }));
  expect(onPrice).toHaveBeenCalledTimes(1);
});

test('a tool that waits for its points gets the press', () => {
  host.setAttribute('data-drawing', '');
  pointer('pointerdown', 100, 120);
  vi.advanceTimersByTime(1000);
  expect(onPrice).not.toHaveBeenCalled();
});
