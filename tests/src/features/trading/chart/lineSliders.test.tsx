import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { success } from '#domain/core/result';
import { LineSliders } from '../../../../../src/features/trading/chart/LineSliders';
import { LiveChart } from '../../../../../src/features/trading/chart/liveChart';
import type { ChartLine } from '../../../../../src/features/trading/chart/orderLines';

const moveLine = vi.fn();
const dropLine = vi.fn();
const onOrders = vi.fn();
const line = (id: string, price: number): ChartLine => ({
  id,
  price,
  label: `Line ${id}`,
  orders: [id === 'a' ? 7 : 8],
  texts: () => [],
  tone: 'order',
  waiting: false,
});

beforeEach(() => {
  vi.clearAllMocks();
  const live = new LiveChart(async () => success(undefined));
  live.space.value = {
    host: document.createElement('div'),
    bars: () => undefined,
    size: () => ({ width: 0, height: 0 }),
    xOf: () => undefined,
    indexAt: () => undefined,
    yOf: () => undefined,
    priceAt: (y) => 2 - y / 1000,
    hasLineAt: () => false,
    moveLine,
    dropLine,
    attach: () => () => undefined,
    repaint: () => undefined,
  };
  const lines = [line('a', 1.1), line('b', 1.2)];
  render(<LineSliders live={live} lines={lines} precision={5} onOrders={onOrders} />);
});

const slider = (name: string) => screen.getByRole('slider', { name });
const press = (key: string, init: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...init });

test('keys move a line by the smallest step, and Enter asks for the change', () => {
  slider('Line a').focus();
  press('ArrowUp');
  press('ArrowUp');
  press('ArrowDown', { shiftKey: true });
  expect(moveLine.mock.calls).toEqual([
    ['a', 1.10001],
    ['a', 1.10002],
    ['a', 1.08402],
  ]);
  expect(slider('Line a').getAttribute('aria-valuetext')).toBe('1.08402');
  expect(dropLine).not.toHaveBeenCalled();
  press('Enter');
  expect(dropLine).toHaveBeenCalledExactlyOnceWith('a', 1.08402);
});

test('left and right go to another line; one that was not set returns', () => {
  expect([slider('Line a').tabIndex, slider('Line b').tabIndex]).toEqual([0, -1]);
  slider('Line a').focus();
  press('ArrowUp');
  press('ArrowRight');
  expect(document.activeElement).toBe(slider('Line b'));
  expect(moveLine).toHaveBeenLastCalledWith('a', undefined);
  press('ArrowDown');
  press('Escape');
  expect(moveLine).toHaveBeenLastCalledWith('b', undefined);
  expect(onOrders).not.toHaveBeenCalled();
  press('Enter');
  expect(dropLine).not.toHaveBeenCalled();
  expect(onOrders).toHaveBeenCalledExactlyOnceWith([8]);
});
