import { afterEach, expect, test } from 'vitest';
import { listPane, ordersPane, ticketBeside, ticketPane } from '../../../src/session/panes';

const browser = window as unknown as {
  happyDOM: { setViewport(size: { width: number; height: number }): void };
};
const open = (width: number, height = 900) => {
  browser.happyDOM.setViewport({ width, height });
  dispatchEvent(new Event('resize'));
};
const chart = (width: number) =>
  width - 88 - listPane.shown.value - (ticketBeside.value ? ticketPane.shown.value : 0);

afterEach(() => {
  for (const pane of [listPane, ticketPane, ordersPane]) pane.reset();
});

test('panes of a large window shrink in a smaller one, and grow again', () => {
  open(1920);
  listPane.resize(640);
  ticketPane.resize(480);
  expect([listPane.shown.value, ticketPane.shown.value]).toEqual([640, 480]);
  for (const width of [1440, 1280, 1160, 1159, 1024]) {
    open(width);
    expect(chart(width)).toBeGreaterThanOrEqual(480);
    expect(listPane.shown.value).toBeGreaterThanOrEqual(320);
  }
  open(1920);
  expect([listPane.shown.value, ticketPane.shown.value]).toEqual([640, 480]);
});

test('the order form is not beside list and chart where these would become too narrow', () => {
  open(1160);
  expect(ticketBeside.value).toBe(true);
  open(1159);
  expect(ticketBeside.value).toBe(false);
});

test('the orders get less of a low window, so that the chart fits', () => {
  open(1440, 900);
  expect(ordersPane.shown.value).toBe(320);
  open(1024, 768);
  expect(ordersPane.shown.value).toBe(284);
  open(1024, 500);
  expect(ordersPane.shown.value).toBe(160);
});

test('a pane is not resized beyond what the window shows', () => {
  open(1280);
  listPane.resize(9999);
  expect(listPane.size.value).toBe(listPane.max.value);
  expect(chart(1280)).toBe(480);
});
