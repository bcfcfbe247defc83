import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useRef } from 'react';
import { MemoryRouter, useLocation, useNavigate } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ListPage } from '#domain/core/paging';
import { failed, type Result, success } from '#domain/core/result';
import { showLanguage } from '../../../src/i18n/i18n';
import { InfiniteList } from '../../../src/requests/InfiniteList';
import { invalidate, queries, type Scope } from '../../../src/requests/queries';
import { type InfiniteRows, useInfiniteList } from '../../../src/requests/useInfiniteList';
import { toasts } from '../../../src/ui/toastStore';
import { user } from '../../../src/worker/trading';
import { onPhone, renderSettled, settle } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

interface Item {
  id: number;
}

const PAGE = 20;
let asked: number[];
let answer: (page: number) => Result<ListPage<Item>>;
let list: InfiniteRows<Item>;
/** The first page of an earlier visit. */
let cached: ListPage<Item> | undefined;
/** Whose the list is. */
let scope: Scope;
/** A promise that each answer waits for. */
let waiting: Promise<void> | undefined;

/** `total` rows, newest first, in pages. */
function rows(total: number) {
  return (page: number): Result<ListPage<Item>> => {
    const from = (page - 1) * PAGE;
    const ids = Array.from({ length: total }, (_, index) => ({ id: total - index }));
    const sent = ids.slice(from, from + PAGE);
    return success({ rows: sent, received: sent.length, total, last: undefined });
  };
}

const broken = () => failed({ kind: 'transport' as const, code: 'ERR_NETWORK' });

function Screen() {
  const scroller = useRef<HTMLDivElement>(null);
  const ask = async (page: number) => {
    asked.push(page);
    await waiting;
    return answer(page);
  };
  list = useInfiniteList<Item>(['test'], ask, scope, async () =>
    cached ? success(cached) : broken(),
  );
  return (
    <div ref={scroller} style={{ overflow: 'auto' }}>
      <InfiniteList
        label="Items"
        list={list}
        scroller={scroller}
        estimate={3.5}
        row={(item) => <span>{`row ${item.id}`}</span>}
        skeleton={<i>skeleton</i>}
        empty={<b>nothing</b>}
      />
    </div>
  );
}

/** Shows the list on a screen that was navigated to. */
function Opened() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => void navigate('/list'), [navigate]);
  return pathname === '/list' && <Screen />;
}

/** `opened`: by a link, otherwise by going back. */
async function showList({ opened = false } = {}) {
  const node = (
    <MemoryRouter initialEntries={['/']}>{opened ? <Opened /> : <Screen />}</MemoryRouter>
  );
  const page = await renderSettled(node);
  await settle();
  const text = () => page.container.textContent ?? '';
  const scroller = page.container.firstElementChild as HTMLElement;
  const scrollTo = (top: number) =>
    act(async () => {
      scroller.scrollTop = top;
      scroller.dispatchEvent(new Event('scroll'));
    });
  return { page, text, scrollTo };
}

// happy-dom has no layout: set the height of rows, so that ten fit.
beforeEach(async () => {
  onPhone();
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(56);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(360);
  await showLanguage('en');
  scriptWorkerApi();
  toasts.value = [];
  asked = [];
  waiting = cached = undefined;
  answer = rows(45);
  scope = 'user';
  user.value = { id: 1, uid: '1', email: '', mobile: '', demo: false, inviteCode: '' };
});

test('shows skeletons first, and says where the list ends', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  waiting = held;
  answer = rows(3);
  const { text } = await showList();
  expect(screen.getByRole('status').textContent).toContain('skeleton');
  release();
  await screen.findByText('row 3');
  expect(text()).toContain('No more');
  expect(text()).not.toContain('skeleton');
});

test('loads pages on scrolling, until all rows are loaded', async () => {
  const { text, scrollTo } = await showList();
  await screen.findByText('row 45');
  expect(asked).toEqual([1]);
  expect(text()).not.toContain('No more');
  await scrollTo(14 * 56);
  await waitFor(() => expect(asked).toHaveLength(2));
  await scrollTo(34 * 56);
  await waitFor(() => expect(list.finished).toBe(true));
  expect(asked).toEqual([1, 2, 3]);
  expect(list.rows).toHaveLength(45);
  expect(text()).toContain('No more');
});

test('shows the first page of an earlier visit as not refreshed, where the list cannot be loaded', async () => {
  cached = { rows: [{ id: 3 }, { id: 2 }], received: 2, total: 9, last: undefined };
  answer = broken;
  const { text } = await showList();
  await screen.findByText('row 3');
  expect(text()).toContain('Not refreshed');
  answer = rows(45);
  const mark = screen.getAllByRole('status')[0] as HTMLElement;
  await userEvent.click(within(mark).getByRole('button', { name: 'Try again' }));
  await screen.findByText('row 45');
  expect(text()).not.toContain('Not refreshed');
});

test('shows a row that moved to the next page once', async () => {
  answer = (page) => {
    const result = rows(45)(page);
    if (!result.ok || page === 1) return result;
    // Two new rows have arrived meanwhile.
    const moved = [{ id: 27 }, { id: 26 }, ...result.data.rows.slice(0, -2)];
    return success({ ...result.data, rows: moved });
  };
  const { scrollTo } = await showList();
  await screen.findByText('row 45');
  await scrollTo(14 * 56);
  await waitFor(() => expect(list.rows.length).toBeGreaterThan(20));
  const ids = list.rows.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

test('an empty list shows its sentence', async () => {
  answer = rows(0);
  const { text } = await showList();
  await waitFor(() => expect(text()).toBe('nothing'));
  expect(asked).toEqual([1]);
});

test('a failed first page shows an error, is not retried by itself, and can be retried', async () => {
  answer = broken;
  await showList();
  await screen.findByText(/This could not be loaded/);
  await settle();
  expect(asked).toEqual([1]);
  answer = rows(2);
  await userEvent.click(within(screen.getByRole('alert')).getByRole('button'));
  await screen.findByText('row 2');
  expect(asked).toEqual([1, 1]);
});

test('a failed later page keeps the rows and stops loading until the user retries (screens.md#lists)', async () => {
  answer = (page) => (page === 1 ? rows(45)(1) : broken());
  const { scrollTo } = await showList();
  await screen.findByText('row 45');
  await scrollTo(14 * 56);
  await waitFor(() => expect(list.failure).toBeDefined());
  await scrollTo(15 * 56);
  await settle();
  expect(asked).toEqual([1, 2]);
  expect(list.rows).toHaveLength(20);
  answer = rows(45);
  await userEvent.click(within(screen.getByRole('alert')).getByRole('button'));
  await waitFor(() => expect(list.rows).toHaveLength(40));
});

test('a refresh loads the first page and keeps the rows until then', async () => {
  const { scrollTo } = await showList();
  await screen.findByText('row 45');
  await scrollTo(14 * 56);
  await waitFor(() => expect(list.rows).toHaveLength(40));
  answer = rows(46);
  await scrollTo(0);
  await act(async () => list.refresh());
  await waitFor(() => expect(list.rows[0]?.id).toBe(46));
  expect(asked).toEqual([1, 2, 1]);
  expect(list.rows).toHaveLength(20);
});

test('a failed refresh keeps all rows, marks them, and shows a toast with the code once', async () => {
  const { text, scrollTo } = await showList();
  await waitFor(() => expect(text().includes('row 45')).toBe(true));
  await scrollTo(14 * 56);
  await waitFor(() => expect(list.rows.length === 40).toBe(true));
  answer = broken;
  await scrollTo(0);
  await act(async () => list.refresh());
  await waitFor(() => expect(list.outdated).toBe(true));
  expect(list.rows).toHaveLength(40);
  expect(text()).toContain('Not refreshed');
  const failure = { kind: 'transport', code: 'ERR_NETWORK' };
  const shown = () => toasts.peek().filter(({ tone }) => tone === 'error');
  expect(shown()).toMatchObject([{ text: failure }]);
  // In the background the same failure is not shown again; after a request by the user it is.
  await act(() => invalidate('test'));
  expect(shown()).toHaveLength(1);
  await userEvent.click(
    within(screen.getAllByRole('status')[0] as HTMLElement).getByRole('button'),
  );
  await waitFor(() => expect(shown()).toHaveLength(2));
  expect(list.rows).toHaveLength(40);
  answer = rows(46);
  await act(async () => list.refresh());
  await waitFor(() => expect(list.rows[0]?.id).toBe(46));
  expect(list.outdated).toBe(false);
  expect(text()).not.toContain('Not refreshed');
});

test('a page that is on its way when the list is refreshed does not come back', async () => {
  const { text, scrollTo } = await showList();
  await waitFor(() => expect(text().includes('row 45')).toBe(true));
  let release = () => {};
  waiting = new Promise((resolve) => {
    release = resolve;
  });
  await scrollTo(14 * 56);
  await waitFor(() => expect(asked).toEqual([1, 2]));
  await scrollTo(0);
  await act(async () => list.refresh());
  answer = rows(46);
  await act(async () => release());
  await waitFor(() => expect(list.rows[0]?.id).toBe(46));
  expect(list.rows).toHaveLength(20);
});

test('rows of one user are not shown to the next', async () => {
  answer = rows(3);
  await showList();
  await screen.findByText('row 3');
  answer = rows(1);
  await act(async () => {
    user.value = { id: 2, uid: '2', email: '', mobile: '', demo: false, inviteCode: '' };
  });
  await waitFor(() => expect(screen.queryByText('row 3')).toBeNull());
  await screen.findByText('row 1');
  const owners = queries
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey.at(-1));
  expect(owners).toEqual([2]);
});

test('nothing is requested before the session is known', async () => {
  user.value = undefined;
  const { text } = await showList();
  expect(text()).toContain('skeleton');
  expect(asked).toEqual([]);
});

test('opened again, a list that is the same for everybody is as old as before (screens.md#lists)', async () => {
  scope = 'anyone';
  queries.removeQueries();
  const began = Date.now();
  const time = vi.spyOn(Date, 'now').mockReturnValue(began);
  for (const [after, requests] of [
    [0, 1],
    [9_000, 1],
    [16_000, 2],
  ] as const) {
    time.mockReturnValue(began + after);
    await showList({ opened: true });
    await screen.findByText('row 45');
    await settle();
    expect(asked).toHaveLength(requests);
    cleanup();
  }
});

test('opened again, a list whose refresh failed is marked until another succeeds (screens.md#lists)', async () => {
  await showList({ opened: true });
  await screen.findByText('row 45');
  answer = broken;
  await act(async () => list.refresh());
  await waitFor(() => expect(list.outdated).toBe(true));
  cleanup();
  let release = () => {};
  waiting = new Promise((resolve) => {
    release = resolve;
  });
  const { text } = await showList({ opened: true });
  expect(asked).toHaveLength(3);
  expect(text()).toContain('Not refreshed');
  answer = rows(46);
  await act(async () => release());
  await waitFor(() => expect(list.rows[0]?.id).toBe(46));
  expect(text()).not.toContain('Not refreshed');
});

test('opened again, a list forgets the failure of a later page', async () => {
  const { scrollTo } = await showList({ opened: true });
  await screen.findByText('row 45');
  answer = (page) => (page === 1 ? rows(45)(1) : broken());
  await scrollTo(14 * 56);
  await waitFor(() => expect(list.failure).toBeDefined());
  cleanup();
  waiting = new Promise(() => {});
  const { text } = await showList({ opened: true });
  expect(list.rows).toHaveLength(20);
  expect(list.failure).toBeUndefined();
  expect(text()).not.toContain('Not refreshed');
});

test('the next page is loaded also where the end is reached during a refresh', async () => {
  const { scrollTo } = await showList();
  await screen.findByText('row 45');
  let release = () => {};
  waiting = new Promise((resolve) => {
    release = resolve;
  });
  await act(async () => list.refresh());
  await scrollTo(14 * 56);
  expect(asked).toEqual([1, 1]);
  waiting = undefined;
  await act(async () => release());
  await waitFor(() => expect(list.rows).toHaveLength(40));
  expect(asked).toEqual([1, 1, 2]);
});
