import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dragLines } from '../../../../../src/features/trading/chart/lineDrag';

/** A line at 100 px; prices are negative heights. */
const target = {
  lineAt: (y: number, reach: number) => (Math.abs(y - 100) <= reach ? 'line' : undefined),
  priceAt: (y: number) => 1000 - y,
  move: vi.fn(),
  ordersAt: (x: number, y: number) => (x >= 200 && Math.abs(y - 300) < 10 ? [7, 8] : undefined),
};
const onDrop = vi.fn();
const onPress = vi.fn();
let host: HTMLElement;
let inner: HTMLElement;
const seen = vi.fn();
let stop: () => void;

beforeEach(() => {
  vi.clearAllMocks();
  host = document.createElement('div');
  inner = document.createElement('canvas');
  host.append(inner);
  document.body.append(host);
  host.setPointerCapture = () => undefined;
  for (const type of ['pointerdown', 'mousedown', 'touchstart']) inner.addEventListener(type, seen);
  stop = dragLines(host, target, onDrop, onPress);
});
afterEach(() => {
  stop();
  host.remove();
});

function pointer(type: string, y: number, options: PointerEventInit = {}): void {
  inner.dispatchEvent(
    new PointerEvent(type, {
      clientY: y,
      pointerId: 1,
      isPrimary: true,
      pointerType: 'mouse',
      button: 0,
      bubbles: true,
      cancelable: true,
      ...options,
    }),
  );
}

test('a line is dragged and dropped, and the chart below does not scroll with it', () => {
  pointer('pointerdown', 101);
  inner.dispatchEvent(
    new MouseEvent('mousedown', { clientY: 101, bubbles: true, cancelable: true }),
  );
  pointer('pointermove', 150);
  pointer('pointerup', 180);
  expect(seen).not.toHaveBeenCalled();
  expect(target.move).toHaveBeenCalledWith('line', 850);
  expect(onDrop).toHaveBeenCalledExactlyOnceWith('line', 820);
});

test('a press beside a line goes to the chart', () => {
  pointer('pointerdown', 130);
  pointer('pointermove', 150);
  pointer('pointerup', 180);
  expect(seen).toHaveBeenCalled();
  expect(onDrop).not.toHaveBeenCalled();
});

test('a finger grabs a line from further away than a mouse', () => {
  pointer('pointerdown', 112, { pointerType: 'touch' });
  pointer('pointermove', 150, { pointerType: 'touch' });
  pointer('pointerup', 150, { pointerType: 'touch' });
  expect(onDrop).toHaveBeenCalledTimes(1);
});

test('a tap moves nothing, and a cancelled drag restores the line', () => {
  pointer('pointerdown', 100);
  pointer('pointerup', 102);
  pointer('pointerdown', 100);
  pointer('pointermove', 150);
  pointer('pointercancel', 150);
  expect(onDrop).not.toHaveBeenCalled();
  expect(target.move).toHaveBeenLastCalledWith('line', undefined);
});

test('a press of a tag tells its orders, and is none of what lies below', () => {
  const up = vi.fn((event: Event) => event.defaultPrevented);
  host.addEventListener('pointerup', up);
  pointer('pointerdown', 300, { clientX: 210 });
  pointer('pointerup', 300, { clientX: 210 });
  expect(onPress).toHaveBeenCalledExactlyOnceWith([7, 8]);
  expect(up).toHaveReturnedWith(true);
  pointer('pointerdown', 300, { clientX: 100 });
  pointer('pointerup', 300, { clientX: 100 });
  pointer('pointerdown', 300, { clientX: 210 });
  pointer('pointermove', 330, { clientX: 210 });
  pointer('pointerup', 330, { clientX: 210 });
  expect(onPress).toHaveBeenCalledTimes(1);
});
