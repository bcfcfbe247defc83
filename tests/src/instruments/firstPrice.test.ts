import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { onPhone } from '../rendering';

// A page begins with these modules as they are loaded.
vi.resetModules();
const { paintFirstPrice } = await import('../../../src/instruments/firstPrice');
const { saveLastSeen } = await import('../../../src/instruments/lastSeen');
const { marketQuery } = await import('../../../src/preferences/marketQuery');
const { listRow } = await import('../scriptedWorkerApi');

const row = (id: number, close: number, marketOpen: boolean) => ({
  instrument: { id, code: `CODE${id}`, name: `<b>Name ${id}`, logo: '', precision: 5 },
  quote: { close, open: 1, change: 0, time: 1, marketOpen },
});

/** A page as the server sends it. */
function page(data: unknown): void {
  document.body.innerHTML = `<div id="root"><ul class="boot"></ul></div>
    <script type="application/json" id="first-rows">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}

const shown = () => [
  document.querySelector('.boot-name')?.textContent,
  document.querySelector('.boot-price')?.textContent,
];

beforeEach(() => {
  onPhone();
  localStorage.clear();
  sessionStorage.clear();
});
afterAll(() => {
  localStorage.clear();
  vi.resetModules();
});

test('name and price of the first open market, or of the chosen one, are painted from the page', () => {
  const at = Date.now();
  const rows = [row(1, 1.1, false), row(2, 1234.5, true)];
  page({ at, rows });
  expect(paintFirstPrice('de', '')).toBeUndefined();
  expect(shown()).toEqual(['<b>Name 2', '1.234,50000']);
  expect(document.querySelector('#root b')).toBeNull();

  page({ at, rows });
  expect(paintFirstPrice('en', '?code=CODE1')).toBe('CODE1');
  expect(shown()).toEqual(['<b>Name 1', '1.10000']);
});

test('no price is painted of an instrument that is not known, nor from a page without rows', () => {
  page({ at: Date.now(), rows: [row(1, 1.1, true)] });
  expect(paintFirstPrice('en', '?code=OTHER')).toBe('OTHER');
  expect(shown()).toEqual(['', '']);

  for (const data of [null, {}, { at: 'x', rows: 'y' }, { at: 1, rows: [{}, 1, null] }]) {
    page(data);
    paintFirstPrice('en', '');
    expect(shown()).toEqual(['', '']);
  }
});

test('what the last visit showed counts where the page is older', () => {
  saveLastSeen('en', marketQuery.peek(), { closed: '', rows: [listRow(1)] });
  const [kept] = JSON.parse(localStorage.getItem('fulcrum.last-seen') ?? '').rows;
  page({ at: kept.arrived - 1, rows: [row(1, 3, true)] });
  paintFirstPrice('en', '?code=CODE1');
  expect(shown()[0]).toBe('Name 1');
  page({ at: kept.arrived + 1, rows: [row(1, 3, true)] });
  paintFirstPrice('en', '?code=CODE1');
  expect(shown()[1]).toBe('3.00000');
});
