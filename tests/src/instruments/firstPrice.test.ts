import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Language } from '#domain/core/language';
import { eventually } from '../../helpers/eventually';
import { onPhone } from '../rendering';

// A page begins with these modules as they are loaded.
vi.resetModules();
const { knownPrice, paintFirstPrice } = await import('../../../src/instruments/firstPrice');
const { saveLastSeen } = await import('../../../src/instruments/lastSeen');
const { marketQuery } = await import('../../../src/preferences/marketQuery');
const { listRow, quoteNumbers, scriptWorkerApi } = await import('../scriptedWorkerApi');
const { apply } = await import('../../../src/worker/frameReceiver');

const row = (id: number, close: number, marketOpen: boolean) => ({
  instrument: { id, code: `CODE${id}`, name: `<b>Name ${id}`, logo: '', precision: 5 },
  quote: { close, open: 1, change: 0, time: 1, marketOpen },
});

/** A page as the server sends it. */
function page(data: unknown): void {
  document.body.innerHTML = `<div id="root"><ul class="boot"></ul></div>
    <script type="application/json" id="first-rows">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}

/** Paints what is known, and returns the code that the user has chosen. */
function paint(language: Language, query: string): string | undefined {
  const known = knownPrice(language, query);
  paintFirstPrice(language, known);
  return known.code;
}

const shown = () => [
  document.querySelector('.boot-name')?.textContent,
  document.querySelector('.boot-price')?.textContent,
];

let worker: ReturnType<typeof scriptWorkerApi>;
beforeEach(() => {
  worker = scriptWorkerApi();
  onPhone();
  localStorage.clear();
  sessionStorage.clear();
});
/** React takes the place of what was painted, which then is not watched any more. */
async function leave(): Promise<void> {
  document.body.innerHTML = '';
  for (const id of [1, 2, 7]) worker.quotes(quoteNumbers(id, 2));
  await new Promise(setImmediate);
}
afterEach(leave);
afterAll(() => {
  localStorage.clear();
  vi.resetModules();
});

test('name and price of the first open market, or of the chosen one, are painted from the page', () => {
  const at = Date.now();
  const rows = [row(1, 1.1, false), row(2, 1234.5, true)];
  page({ at, rows });
  expect(paint('de', '')).toBeUndefined();
  expect(shown()).toEqual(['<b>Name 2', '1.234,50000']);
  expect(document.querySelector('#root b')).toBeNull();

  page({ at, rows });
  expect(paint('en', '?code=CODE1')).toBe('CODE1');
  expect(shown()).toEqual(['<b>Name 1', '1.10000']);
});

test('no price is painted of an instrument that is not known, nor from a page without rows', () => {
  page({ at: Date.now(), rows: [row(1, 1.1, true)] });
  expect(paint('en', '?code=OTHER')).toBe('OTHER');
  expect(shown()).toEqual(['', '']);

  for (const data of [null, {}, { at: 'x', rows: 'y' }, { at: 1, rows: [{}, 1, null] }]) {
    page(data);
    paint('en', '');
    expect(shown()).toEqual(['', '']);
  }
});

test('what the last visit showed counts where the page is older', async () => {
  saveLastSeen('en', marketQuery.peek(), { closed: '', rows: [listRow(1)] });
  const [kept] = JSON.parse(localStorage.getItem('fulcrum.last-seen') ?? '').rows;
  page({ at: kept.arrived - 1, rows: [row(1, 3, true)] });
  paint('en', '?code=CODE1');
  expect(shown()[0]).toBe('Name 1');
  await leave();
  page({ at: kept.arrived + 1, rows: [row(1, 3, true)] });
  paint('en', '?code=CODE1');
  expect(shown()[1]).toBe('3.00000');
});

test('the price is stale until it is live, and followed until React takes its place', async () => {
  page({ at: Date.now(), rows: [row(1, 1.1, true)] });
  paint('en', '?code=CODE1');
  const price = document.querySelector('.boot-price');
  expect(price?.hasAttribute('data-stale')).toBe(true);
  await eventually(() => expect(worker.watches).toHaveLength(1));
  expect(worker.watches[0]?.instruments?.add).toEqual([1]);

  apply({ quotes: Float64Array.from(quoteNumbers(1, 1.25, { change: 2 })) });
  expect(shown()[1]).toBe('1.25000');
  expect(price?.hasAttribute('data-stale')).toBe(false);
  expect(price?.getAttribute('data-direction')).toBe('up');

  document.querySelector('.boot-trade')?.remove();
  apply({ quotes: Float64Array.from(quoteNumbers(1, 1.5)) });
  await eventually(() => expect(worker.watches.at(-1)?.instruments?.remove).toEqual([1]));
  apply({ quotes: Float64Array.from(quoteNumbers(1, 1.75)) });
  expect(price?.textContent).toBe('1.50000');
});

test('a price that only the list knows is painted once it is there', async () => {
  worker = scriptWorkerApi([listRow(7)]);
  page({ at: Date.now(), rows: [row(1, 1.1, true)] });
  paint('en', '?code=CODE7');
  expect(shown()).toEqual(['', '']);
  apply({ listRevision: 1 });
  await eventually(() => expect(shown()).toEqual(['Name 7', '1.10000']));
});
