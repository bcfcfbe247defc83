import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ListQuery, ListRow } from '#domain/market/list';
import { showLanguage } from '../../../src/i18n/i18n';
import { rowTexts } from '../../../src/i18n/rowTexts';
import { COLUMNS_WITH_STARS } from '../../../src/instruments/columns';
import { InstrumentList } from '../../../src/instruments/InstrumentList';
import { ListView } from '../../../src/instruments/listView';
import { eventually } from '../../helpers/eventually';
import { onPhone, renderSettled, settle } from '../rendering';
import { listRow, scriptWorkerApi } from '../scriptedWorkerApi';

const QUERY: ListQuery = { sort: 'default', descending: false, favourites: [3] };

// happy-dom has no layout: set the height of rows, so that ten fit.
beforeEach(async () => {
  onPhone();
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(360);
  await showLanguage('en');
});

async function list(rows: ListRow[], query = QUERY) {
  const worker = scriptWorkerApi(rows);
  const picked: string[] = [];
  const node = (query: ListQuery) => (
    <InstrumentList
      query={query}
      label="Instruments"
      onPick={({ instrument }) => picked.push(instrument.code)}
      onFavour={(id) => picked.push(`star ${id}`)}
      onRefresh={() => undefined}
      empty={'nothing here'}
    />
  );
  const page = await renderSettled(node(query));
  await settle();
  /** What opens the instrument of a row; the star is the row's other button. */
  const button = (index: number) =>
    screen.getByRole('button', { name: new RegExp(`^Name ${index + 1}\\b`) });
  const press = (key: string) =>
    act(async () => {
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      );
    });
  return {
    ...worker,
    page,
    picked,
    button,
    press,
    ask: (next: ListQuery) => page.rerender(node(next)),
  };
}

const many = Array.from({ length: 1000 }, (_, index) => listRow(index + 1));

test('only rows in sight are rendered and watched', async () => {
  const { watches } = await list(many);
  const rows = screen.getAllByRole('row');
  expect(rows.length).toBeGreaterThanOrEqual(10);
  expect(rows.length).toBeLessThan(20);
  // The last row is preloaded and not updated until it is scrolled into view.
  const watched = watches.flatMap(({ instruments }) => instruments?.add ?? []);
  expect(watched).toEqual(many.slice(0, rows.length - 1).map(({ instrument }) => instrument.id));
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('1001');
});

test('a painted row that has the focus keeps it when React takes the rows over', async () => {
  scriptWorkerApi(many);
  const view = new ListView(COLUMNS_WITH_STARS);
  view.recall(many.slice(0, 8));
  const container = document.createElement('div');
  container.append(view.element);
  document.body.append(container);
  view.show({ query: QUERY, current: undefined });
  view.attach(container);
  const named = () => screen.getByRole('button', { name: /^Name 4\b/ });
  const painted = named();
  painted.focus();
  const list = (
    <InstrumentList
      view={view}
      query={QUERY}
      label=""
      onPick={() => {}}
      onRefresh={() => {}}
      empty=""
    />
  );
  render(list, { container });
  await settle();
  expect(screen.getByRole('table').contains(painted)).toBe(true);
  expect(document.activeElement).toBe(named());
});

test('a fling after the first adds and removes no element; at rest they are in order', async () => {
  const { page } = await list(many);
  const scroller = scrollerOf(page);
  const scrollTo = (top: number) =>
    act(async () => {
      scroller.scrollTop = top;
      scroller.dispatchEvent(new Event('scroll'));
    });
  const elements = () => [...page.container.querySelectorAll('[role=rowgroup] [role=row]')];
  const numbers = () => elements().map((row) => Number(row.getAttribute('aria-rowindex')));
  const sorted = () => numbers().sort((a, b) => a - b);
  await scrollTo(840);
  const before = new Set(elements());
  for (const top of [560, 1120, 672, 0, 1120]) {
    await scrollTo(top);
    expect(new Set(elements())).toEqual(before);
    const seen = numbers();
    for (let row = 0; row < 10; row++) expect(seen).toContain(top / 56 + row + 2);
  }
  expect(numbers()).not.toEqual(sorted());
  await eventually(() => expect(numbers()).toEqual(sorted()));
});

test('the rows of another list are in order at once', async () => {
  const { page, ask } = await list(many);
  const only = many.slice(500, 600).map(({ instrument }) => instrument.id);
  ask({ ...QUERY, only, favourites: only });
  await settle();
  await screen.findByRole('button', { name: /^Name 501\b/ });
  const elements = [...page.container.querySelectorAll('[role=rowgroup] [role=row]')];
  const numbers = elements.map((row) => Number(row.getAttribute('aria-rowindex')));
  expect(numbers).toEqual(numbers.map((_, index) => index + 2));
});

test('further rows of the same list fill the rows that wait for them, and no other', async () => {
  const { page, scripted } = await list(many);
  const scroller = scrollerOf(page);
  const rows = scripted.rows as NonNullable<typeof scripted.rows>;
  const waiting: (() => void)[] = [];
  scripted.rows = async (...asked) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return rows(...asked);
  };
  const scrollTo = (top: number) =>
    act(async () => {
      scroller.scrollTop = top;
      scroller.dispatchEvent(new Event('scroll'));
    });
  // The first 64 rows are known.
  await scrollTo(30 * 56);
  await scrollTo(58 * 56);
  const picks = page.container.querySelectorAll('[data-act=pick]');
  const shown = [...picks].map(({ textContent }) => textContent).filter((name) => name !== '');
  expect(shown.length).toBeGreaterThan(0);
  const filled = vi.fn((name: string) => `Favourite: ${name}`);
  await act(async () => {
    rowTexts.value = { ...rowTexts.peek(), favourite: filled };
  });
  expect(filled).toHaveBeenCalled();
  filled.mockClear();
  const asked = vi.spyOn(scroller, 'scrollTop', 'get');
  await act(async () => {
    for (const answer of waiting.splice(0)) answer();
  });
  await settle();
  const names = filled.mock.calls.map(([name]) => name).filter((name) => name !== '');
  for (let row = 64; row < 68; row++) expect(names).toContain(`Name ${row + 1}`);
  expect(names.filter((name) => shown.includes(name))).toEqual([]);
  // Asking a scroller where it is makes it lay out what has changed.
  expect(asked).not.toHaveBeenCalled();
});

test('begins with the current instrument in the middle, where that is asked for', async () => {
  scriptWorkerApi(many);
  const node = (
    <InstrumentList
      query={QUERY}
      label="Instruments"
      current="CODE500"
      startAtCurrent
      onPick={() => undefined}
      onRefresh={() => undefined}
      empty="nothing here"
    />
  );
  await renderSettled(node);
  await settle();
  const current = screen.getByRole('button', { name: /^Name 500\b/ });
  expect(current.closest('[role="row"]')?.getAttribute('aria-rowindex')).toBe('501');
});

test('arrow keys move from row to row; the tab key reaches one row', async () => {
  const { button, press, picked } = await list(many);
  await act(async () => button(0).focus());
  await press('ArrowDown');
  await press('ArrowDown');
  expect(document.activeElement).toBe(button(2));
  await press('ArrowUp');
  expect(document.activeElement).toBe(button(1));
  const opening = screen.getAllByRole('button', { name: /^Name / });
  expect(opening.filter(({ tabIndex }) => tabIndex === 0)).toEqual([button(1)]);
  await userEvent.click(button(1));
  expect(picked).toEqual(['CODE2']);
});

test('a star has a label and says whether it is set', async () => {
  const { picked } = await list(many);
  const set = screen.getAllByRole('button', { pressed: true });
  expect(set).toEqual([screen.getByRole('button', { name: 'Favourite: Name 3' })]);
  await userEvent.click(screen.getByRole('button', { name: 'Favourite: Name 5' }));
  expect(picked).toEqual(['star 5']);
});

function scrollerOf(page: Awaited<ReturnType<typeof list>>['page']): Element {
  const content = page.container.querySelector('[role=presentation]')?.parentElement;
  return content?.parentElement as Element;
}

/** Where the list is scrolled to after it lists something else. */
function scrolling({ page, ask }: Awaited<ReturnType<typeof list>>) {
  const scroller = scrollerOf(page);
  return async (query: ListQuery) => {
    scroller.scrollTop = 280;
    await act(async () => ask(query));
    await settle();
    return scroller.scrollTop;
  };
}

const star = (index: number) => screen.getByRole('button', { name: `Favourite: Name ${index}` });
const rowNumber = (index: number) =>
  star(index).closest('[role=row]')?.getAttribute('aria-rowindex');

test('a star leaves the list where it is, and every row, until something else is listed', async () => {
  const shown = await list(many);
  const { scripted } = shown;
  const rows = scripted.rows as NonNullable<typeof scripted.rows>;
  scripted.rows = async (query, from, to) => {
    const first = query.favourites.map((id) => many[id - 1] as ListRow);
    const sorted = [...new Set([...first, ...many])].slice(from, to);
    return { ...(await rows(query, from, to)), rows: sorted };
  };
  const ended = scrolling(shown);
  const place = rowNumber(8);
  expect(await ended({ ...QUERY, favourites: [3, 8] })).toBe(280);
  expect(star(8).getAttribute('aria-pressed')).toBe('true');
  expect(rowNumber(8)).toBe(place);
  expect(await ended({ ...QUERY, favourites: [] })).toBe(280);
  expect(star(8).getAttribute('aria-pressed')).toBe('false');
  await ended({ ...QUERY, favourites: [8] });
  expect(rowNumber(8)).toBe(place);
  expect(await ended({ ...QUERY, open: true, favourites: [8] })).toBe(0);
  expect(rowNumber(8)).toBe('2');
});

test('in a watchlist a star leaves the list where it is; another list begins at its top', async () => {
  const only = many.map(({ instrument }) => instrument.id);
  const ended = scrolling(await list(many, { ...QUERY, only }));
  expect(await ended({ ...QUERY, only, favourites: [3, 5] })).toBe(280);
  expect(star(5).getAttribute('aria-pressed')).toBe('true');
  expect(await ended({ ...QUERY, only: only.slice(1) })).toBe(0);
  // The favourites themselves: a row ends, the others stay in sight.
  expect(await ended({ ...QUERY, only, favourites: only })).toBe(0);
  const rest = only.slice(0, -1);
  expect(await ended({ ...QUERY, only: rest, favourites: rest })).toBe(280);
});

test('shows skeleton rows until there is a list, and a sentence if nothing matches', async () => {
  const { page, scripted, ask } = await list(many);
  await ask({ ...QUERY, search: 'no such name' });
  await settle();
  expect(page.container.textContent).toContain('nothing here');
  scripted.rows = async (_, from) => ({ revision: 1, total: 0, from, rows: [], loading: true });
  await ask({ ...QUERY, search: 'another' });
  await settle();
  expect(page.container.textContent).not.toContain('nothing here');
  expect(screen.getByRole('status', { name: 'Loading' }).isConnected).toBe(true);
});
