import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchHolds } from '../../../src/ui/watchHolds';

let host: HTMLElement;
let held: Element[];
let taps: number;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  host = document.createElement('div');
  host.append(document.createElement('button'));
  held = [];
  taps = 0;
  host.addEventListener('click', () => {
    taps += 1;
  });
  stop = watchHolds(host, (target) => held.push(target));
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

function send(type: string, init: PointerEventInit = {}): Event {
  const event = new PointerEvent(type, {
    bubbles: true,
    cancelable: true,
    isPrimary: true,
    pointerType: 'touch',
    ...init,
  });
  host.firstElementChild?.dispatchEvent(event);
  return event;
}

it('tells a finger that rests, and takes away the tap at its end', () => {
  send('pointerdown');
  vi.advanceTimersByTime(499);
  expect(held).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(held).toEqual([host.firstElementChild]);
  send('pointerup');
  send('click', { detail: 1 });
  expect(taps).toBe(0);
  send('pointerdown');
  send('pointerup');
  send('click', { detail: 1 });
  expect(taps).toBe(1);
});

it('holds once where the menu does not say that it is of a finger', () => {
  send('pointerdown');
  vi.advanceTimersByTime(500);
  const menu = new MouseEvent('contextmenu', { bubbles: true, cancelable: true });
  host.firstElementChild?.dispatchEvent(menu);
  send('pointerup');
  send('click', { detail: 1 });
  expect(held).toHaveLength(1);
  expect(taps).toBe(0);
});

it('leaves the keys alone where no tap has followed', () => {
  send('pointerdown');
  vi.advanceTimersByTime(500);
  send('pointerup');
  send('click', { detail: 0 });
  expect(taps).toBe(1);
});

it('tells it once where the browser has a menu for fingers', () => {
  send('pointerdown');
  expect(send('contextmenu').defaultPrevented).toBe(true);
  vi.advanceTimersByTime(1000);
  expect(held).toHaveLength(1);
  send('pointerdown');
  vi.advanceTimersByTime(500);
  send('contextmenu');
  expect(held).toHaveLength(2);
});

it.each([
  ['moves', 'pointermove', { clientX: 9 }],
  ['is lifted', 'pointerup', {}],
  ['scrolls', 'pointercancel', {}],
])('a finger that %s holds nothing', (_, type, init) => {
  send('pointerdown');
  send(type, init);
  vi.advanceTimersByTime(1000);
  expect(held).toEqual([]);
});

it('tells each press of the other button and of the menu key', () => {
  send('pointerdown', { pointerType: 'mouse', button: 2 });
  send('contextmenu', { pointerType: 'mouse' });
  send('contextmenu', { pointerType: '' });
  vi.advanceTimersByTime(1000);
  expect(held).toHaveLength(2);
});

it('tells what has the focus at Shift+F10, which Macs have instead of a menu key, and leaves the next click', () => {
  for (const shiftKey of [false, true]) {
    const event = new KeyboardEvent('keydown', {
      key: 'F10',
      shiftKey,
      bubbles: true,
      cancelable: true,
    });
    host.firstElementChild?.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(shiftKey);
  }
  expect(held).toEqual([host.firstElementChild]);
  send('click', { detail: 1 });
  expect(taps).toBe(1);
});
