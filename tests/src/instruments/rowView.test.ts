import { within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ListRow } from '#domain/market/list';
import { showLanguage } from '../../../src/i18n/i18n';
import { COLUMNS, spreads } from '../../../src/instruments/columns';
import { flash } from '../../../src/instruments/flash';
import { RowView } from '../../../src/instruments/rowView';
import { watchSpread } from '../../../src/instruments/spreadText';
import { steadyTime } from '../../../src/worker/age';
import { eventually } from '../../helpers/eventually';
import { listRow, quoteNumbers, scriptWorkerApi } from '../scriptedWorkerApi';

beforeAll(async () => {
  // All rows share one timer: one that the test file before this has left would ignore the fake clock.
  const last = document.createElement('span');
  flash(last, 'flash-up');
  await eventually(() => expect(last.className).toBe(''));
});
beforeEach(async () => {
  vi.useFakeTimers();
  await showLanguage('en');
});
afterEach(async () => {
  for (const view of views.splice(0)) view.follow(false);
  await Promise.resolve();
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
});

const views: RowView[] = [];

function shown(row: ListRow = listRow(1)) {
  const worker = scriptWorkerApi();
  const view = new RowView(COLUMNS);
  views.push(view);
  document.body.replaceChildren(view.element);
  view.show({ row, current: false, favourite: false }, true);
  const cells = within(view.element).getAllByRole('cell');
  const cell = (at: number) => cells[at];
  return {
    ...worker,
    view,
    root: view.element,
    label: () => cell(0)?.textContent,
    price: () => cell(1),
    change: () => cell(2)?.textContent,
  };
}

test('a tick writes only the text nodes that changed', () => {
  const row = shown();
  expect(row.price()?.textContent).toBe('1.10000');
  expect(row.change()).toBe('+10.00%');
  const observer = new MutationObserver(() => undefined);
  observer.observe(row.root, { characterData: true, childList: true, subtree: true });
  row.quotes(quoteNumbers(1, 1.10012, { change: 10 }));
  const changed = observer.takeRecords();
  expect(row.price()?.textContent).toBe('1.10012');
  expect(changed.map(({ type, target }) => [type, target.textContent])).toEqual([
    ['characterData', '12'],
  ]);
});

test('a recycled row shows letters until the logo of its instrument has loaded', () => {
  const withLogo = (id: number) => {
    const row = listRow(id);
    return { ...row, instrument: { ...row.instrument, logo: `/logos/${id}.svg` } };
  };
  const images: HTMLImageElement[] = [];
  const create = document.createElement.bind(document);
  const creating = vi.spyOn(document, 'createElement').mockImplementation((tag: string) => {
    const made = create(tag);
    if (made instanceof HTMLImageElement) images.push(made);
    return made;
  });
  const row = shown(withLogo(1));
  creating.mockRestore();
  const badge = row.root.querySelector('[aria-hidden="true"]') as HTMLElement;
  const shownMark = () =>
    badge.querySelector('img')?.getAttribute('src') ?? badge.dataset['letters'];
  const load = () => images[0]?.dispatchEvent(new Event('load'));
  const show = (next: ListRow) =>
    row.view.show({ row: next, current: false, favourite: false }, true);
  const letters = shownMark();
  expect(letters).toMatch(/^[A-Z]{2}$/);
  load();
  expect(shownMark()).toBe('/logos/1.svg');
  show(withLogo(2));
  expect(shownMark()).toBe(letters);
  load();
  expect(shownMark()).toBe('/logos/2.svg');
  show(listRow(3));
  load();
  expect(shownMark()).toBe(letters);
});

test('a price that moved has a class for a moment', () => {
  const row = shown();
  row.quotes(quoteNumbers(1, 1.2));
  expect(row.price()?.classList.contains('flash-up')).toBe(true);
  vi.advanceTimersByTime(200);
  row.quotes(quoteNumbers(1, 1.1));
  expect(row.price()?.classList.contains('flash-up')).toBe(false);
  expect(row.price()?.classList.contains('flash-down')).toBe(true);
  vi.advanceTimersByTime(290);
  expect(row.price()?.classList.contains('flash-down')).toBe(true);
  // At the latest; an earlier frame removes it as well.
  vi.advanceTimersByTime(210);
  expect(row.price()?.classList.contains('flash-down')).toBe(false);
  row.quotes(quoteNumbers(1, 1.1));
  expect(row.price()?.className).not.toContain('flash');
});

test('a change has a sign and a colour; a closed market keeps it, with a label below it', () => {
  const row = shown();
  expect(row.root.dataset.direction).toBe('up');
  row.quotes(quoteNumbers(1, 1, { change: -0.5 }));
  expect([row.root.dataset.direction, row.change()]).toEqual(['down', '-0.50%']);
  row.quotes(quoteNumbers(1, 1, { change: -0.5, flags: 2 }));
  expect([row.root.dataset.direction, row.change()]).toEqual(['closed', '-0.50%\nClosed']);
  expect(row.root.dataset.stale).toBe('false');
});

test('a stale quote is marked; its age is shown from 15 s on', () => {
  const row = shown();
  row.quotes(quoteNumbers(1, 1, { flags: 3 }));
  expect(row.root.dataset.stale).toBe('true');
  row.quotes(quoteNumbers(1, 1, { arrived: steadyTime() }));
  expect(row.root.dataset.stale).toBe('false');
  vi.advanceTimersByTime(15_000);
  expect(row.label()).not.toMatch(/\ds/);
  vi.advanceTimersByTime(5_000);
  expect(row.label()).toMatch(/20s/);
});

test('nothing runs once it is no longer followed', () => {
  const row = shown();
  row.view.follow(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('the code is shown if it differs from the name', () => {
  const row = listRow(1);
  const pair = { ...row.instrument, name: 'EUR/USD', code: 'EURUSD' };
  expect(shown({ ...row, instrument: pair }).label()).toBe('EUR/USD');
  const gold = { ...row.instrument, id: 2, name: 'Gold', code: 'XAUUSD' };
  expect(shown({ ...row, instrument: gold }).label()).toBe('GoldXAUUSD');
});

test('a row that shows another instrument keeps nothing of the former one', async () => {
  const row = shown();
  row.quotes(quoteNumbers(1, 1.2));
  const other = listRow(2, {
    quote: { close: 7, open: 7, change: 0, time: undefined, marketOpen: true },
  });
  row.view.show({ row: other, current: true, favourite: false }, true);
  await Promise.resolve();
  expect(row.label()).toBe('Name 2CODE2');
  expect(row.price()?.textContent).toBe('7.00000');
  expect(row.price()?.className).not.toContain('flash');
  row.quotes(quoteNumbers(1, 1.3));
  expect(row.price()?.textContent).toBe('7.00000');
  row.quotes(quoteNumbers(2, 8));
  expect(row.price()?.textContent).toBe('8.00000');
  expect(row.watches.at(-1)?.instruments).toEqual({ add: [2], remove: [] });
  row.view.show(undefined);
  expect(row.root.textContent).toBe('');
  expect(row.root.inert).toBe(true);
});

test('a closed market says why below its name, until it opens', () => {
  const reason = 'No prices from Kraken since 10:31 UTC';
  const row = listRow(1);
  const { label, quotes, root } = shown({ ...row, closedReason: reason });
  quotes(quoteNumbers(1, 1.1, { flags: 2 }));
  expect(label()).toContain(`CODE1 · ${reason}`);
  expect(root.querySelector(`[title="${reason}"]`)).not.toBeNull();
  quotes(quoteNumbers(1, 1.1, { flags: 1 }));
  expect(label()).not.toContain(reason);
});

test('a code that is its name is not said twice', () => {
  const row = listRow(1);
  const { label } = shown({
    ...row,
    instrument: { ...row.instrument, code: 'BTC/USD', name: 'BTC/USD' },
  });
  expect(label()?.match(/BTC\/USD/g)).toHaveLength(1);
});

test('the spread stands below the name where the feed has one, as long as the market is open', async () => {
  spreads.watch = watchSpread;
  const plain = listRow(1);
  const row = shown(plain);
  // The list comes after the row is followed.
  row.view.show({ row: { ...plain, hasBook: true }, current: false, favourite: false }, true);
  expect(row.topsOfBook).toEqual([{ add: [1], remove: [] }]);
  // Its line is there before it is, so that the name does not move.
  expect(row.label()).toBe('Name 1CODE1\u00a0');
  row.frame({ topsOfBook: [{ id: 1, bid: 1.1, ask: 1.10012 }] });
  expect(row.label()).toBe('Name 1CODE10.00012 Spread');
  await showLanguage('hk');
  expect(row.label()).toMatch(/^Name 1CODE10\.00012 \p{Script=Han}+$/u);
  row.quotes(quoteNumbers(1, 1.1, { flags: 2 }));
  expect(row.label()).toBe('Name 1CODE1');
  row.view.show(undefined);
  expect(row.topsOfBook.at(-1)).toEqual({ add: [], remove: [1] });
});

test('the column of prices is as wide as a price of eleven decimals', () => {
  const row = shown();
  expect(row.root.style.getPropertyValue('--price')).toBe('');
  const tiny = listRow(2);
  tiny.instrument.precision = 11;
  tiny.quote.close = 0.00000001234;
  row.view.show({ row: tiny, current: false, favourite: false });
  expect(row.price()?.textContent).toBe('0.00000001234');
  // Thirteen digits, the last two larger.
  expect(Number.parseFloat(row.root.style.getPropertyValue('--price'))).toBeGreaterThan(7.5);
  row.view.show({ row: listRow(1), current: false, favourite: false });
  expect(row.root.style.getPropertyValue('--price')).toBe('0rem');
});
