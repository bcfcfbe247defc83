import { act, screen, waitFor, within } from '@testing-library/react';
import { HashRouter, useLocation } from 'react-router-dom';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionStatus } from '#domain/worker/workerApi';
import { type AppRoute, ROUTES, routeOf, titleOf } from '../../../src/app/routes';
import { Shell } from '../../../src/app/Shell';
import { loadScreen } from '../../../src/app/screens';
import { MORE, TABS } from '../../../src/app/tabs';
import { showLanguage, t } from '../../../src/i18n/i18n';
import { user } from '../../../src/worker/trading';
import { onPhone, renderSettled, settle } from '../rendering';
import { listRow, scriptWorkerApi } from '../scriptedWorkerApi';

// The chart library draws in an animation frame, on a canvas that happy-dom does not have.
vi.mock('../../../src/features/trading/chart/Chart', () => ({ Chart: () => null }));

/** The table of screens.md#routing: each route and whether it shows the tab bar. */
const SPEC: Record<string, boolean> = {
  '/': true,
  '/trade': true,
  '/order': true,
  '/user': true,
  '/news': true,
  '/news/detail': false,
  '/rank': true,
  '/feedback': false,
  '/login': false,
  '/register': false,
  '/forgot': false,
  '/product': false,
  '/language': false,
  '/mine/auth': false,
  '/mine/invite': false,
  '/mine/email': false,
  '/mine/announcement': false,
  '/mine/password': false,
  '/mine/history': false,
  '/mine/charge': false,
  '/mine/withdraw': false,
  '/mine/chat': false,
  '/mine/system': false,
  '/mine/wallet': false,
  '/mine/bank-card-list': false,
  '/mine/coin-address-list': false,
  '/mine/withdraw-way': false,
  '/mining': true,
  '/mining/subscribe': false,
  '/mining/record': false,
  '/mining/income': false,
};

describe('the table of routes (screens.md#routing)', () => {
  test('has no rows beyond the specification, except security, alerts, results, practice, the workspace, the credits and the speed test', () => {
    const unknown = ROUTES.filter(({ path }) => !(path in SPEC)).map(({ path }) => path);
    expect(unknown).toEqual([
      '/mine/security',
      '/mine/two-factor',
      '/mine/passkeys',
      '/mine/devices',
      '/alerts',
      '/mine/results',
      '/mine/statement',
      '/practice',
      '/workspace',
      '/panel',
      '/about',
      '/bench',
    ]);
  });

  test('has every route of the specification once, in its order', () => {
    const paths = ROUTES.map(({ path }) => path).filter((path) => path in SPEC);
    expect(paths).toEqual(Object.keys(SPEC));
  });

  test('shows the tab bar on exactly the rows that ask for it', () => {
    const asked = (path: string) => SPEC[path] ?? path === '/workspace';
    const wrong = ROUTES.filter(({ path, footer }) => asked(path) !== (footer ?? false));
    expect(wrong).toEqual([]);
  });

  test('refreshes the list only on entering /, /trade and /workspace', () => {
    const refreshing = ROUTES.filter(({ refreshesList }) => refreshesList).map(({ path }) => path);
    expect(refreshing).toEqual(['/', '/trade', '/workspace']);
  });

  test('has the tabs in the order of the bar', () => {
    expect(TABS.map(({ to }) => to)).toEqual([
      '/rank?tab=documentary',
      '/order',
      '/',
      '/rank',
      '/trade',
    ]);
    for (const { to } of [...TABS, ...MORE]) expect(routeOf(to.split('?')[0] ?? '')).toBeDefined();
  });

  test.each(ROUTES.filter(({ path }) => path !== '/'))('$path has a screen', async ({ file }) => {
    expect(await loadScreen(file ?? '')).toBeTypeOf('function');
  });

  test('has a row for each screen', () => {
    const files = ROUTES.map(({ file }) => `/src/${file}.tsx`);
    const screens = import.meta.glob('/src/{app,features}/**/*Screen.tsx');
    const missing = Object.keys(screens).filter((file) => !files.includes(file));
    expect(missing).toEqual(['/src/features/market/MarketScreen.tsx']);
  });
});

describe('a path and its route', () => {
  test.each([
    ['/trade', '/trade'],
    ['/trade/', '/trade'],
    ['/trade//', '/trade'],
    ['//trade', '/trade'],
    ['/Trade', '/trade'],
    ['/%74rade', '/trade'],
    ['/mine//Wallet/', '/mine/wallet'],
    ['/mine%2Fwallet', '/mine/wallet'],
    ['/', '/'],
    ['//', '/'],
    ['///', '/'],
  ])('%s is %s', (pathname, path) => {
    expect(routeOf(pathname)?.path).toBe(path);
  });

  test.each(['', 'trade', '/trades', '/trade/x', '/mine', '/%', '/trade%'])(
    '%j has none',
    (pathname) => {
      expect(routeOf(pathname)).toBeUndefined();
    },
  );
});

describe('navigation', () => {
  let where = { pathname: '', search: '' };
  function Where() {
    where = useLocation();
    return null;
  }
  const go = async (hash: string) => {
    await act(async () => {
      location.hash = hash;
      window.dispatchEvent(new PopStateEvent('popstate'));
    });
    await settle();
  };

  beforeEach(async () => {
    onPhone();
    await showLanguage('en');
    location.hash = '#/language';
    vi.stubGlobal('requestIdleCallback', () => 0);
    vi.stubGlobal('cancelIdleCallback', () => undefined);
  });

  const shell = async (options?: { silent: boolean }) => {
    const worker = scriptWorkerApi([listRow(1)], options);
    const page = await renderSettled(
      <HashRouter>
        <Shell />
        <Where />
      </HashRouter>,
    );
    await settle();
    return { worker, page };
  };

  test('an unknown path leads to /', async () => {
    await shell();
    await go('#/nowhere/at/all?x=1');
    expect(where.pathname).toBe('/');
  });

  test('what is above the screens of /mine is the user center, and for a visitor home', async () => {
    await shell();
    await go('#/mine');
    expect(where.pathname).toBe('/');
    user.value = { id: 1, uid: '1', email: 'a@b.c', mobile: '', demo: false, inviteCode: '' };
    await go('#/mine');
    expect(where.pathname).toBe('/user');
    user.value = undefined;
  });

  test.each([
    ['#/About/', '/about', ''],
    ['#/about//?from=%2Forder', '/about', '?from=%2Forder'],
    ['#/%61bout', '/about', ''],
    ['#//', '/', ''],
    ['#/news/', '/news', ''],
    ['#/News?x=1', '/news', '?x=1'],
    ['#/%', '/', ''],
  ])('a near miss of a path is replaced by the path: %s', async (hash, pathname, search) => {
    await shell();
    await go(hash);
    await waitFor(() => expect(where.pathname).toBe(pathname));
    expect(where.search).toBe(search);
    const route = routeOf(pathname) as AppRoute;
    const { footer } = route;
    expect(document.title).toContain(`${t(titleOf(route, where.search))} ·`);
    expect(screen.queryAllByRole('navigation')).toHaveLength(footer === true ? 1 : 0);
    const main = within(screen.getByRole('main'));
    await waitFor(() =>
      expect([...main.queryAllByRole('heading'), ...main.queryAllByRole('status')]).not.toEqual([]),
    );
  });

  test('every navigation checks the socket; / and /trade refresh the list', async () => {
    const { worker } = await shell();
    expect([worker.count('retryNow'), worker.count('refreshList')]).toEqual([1, 0]);
    await go('#/');
    expect([worker.count('retryNow'), worker.count('refreshList')]).toEqual([2, 1]);
    await go('#/about');
    expect([worker.count('retryNow'), worker.count('refreshList')]).toEqual([3, 1]);
  });

  test('a touch or a key tries to connect at once while there is no connection', async () => {
    const { worker } = await shell();
    const { frame } = worker;
    const tried = async (state: ConnectionStatus) => {
      await act(async () => frame({ connection: { state, marketOffset: undefined } }));
      const before = worker.count('retryNow');
      for (const type of ['pointerdown', 'keydown']) window.dispatchEvent(new Event(type));
      return worker.count('retryNow') - before;
    };
    expect([await tried('stale'), await tried('live'), await tried('slow')]).toEqual([2, 0, 0]);
  });

  test('the list that the worker fetches at its start is not fetched again', async () => {
    location.hash = '#/';
    const { worker } = await shell();
    expect([worker.count('retryNow'), worker.count('refreshList')]).toEqual([1, 0]);
    await go('#/language');
    await go('#/');
    expect(worker.count('refreshList')).toBe(1);
  });

  test('the trade screen puts its instrument into the address, which is no navigation', async () => {
    location.hash = '#/trade';
    const { worker } = await shell();
    await waitFor(() => expect(where.search).toMatch(/^\?code=\w+$/));
    await settle();
    expect(worker.count('refreshList')).toBe(0);
    await go('#/about');
    await go('#/trade');
    expect(worker.count('refreshList')).toBe(1);
  });

  test('query parameters come after the hash', async () => {
    await shell();
    await go('#/about?from=%2Forder%3Ftype%3D1');
    expect(new URLSearchParams(where.search).get('from')).toBe('/order?type=1');
  });

  test('the list is hidden, not unmounted', async () => {
    await shell();
    await go('#/');
    const table = screen.getByRole('table');
    await go('#/about');
    expect(table.isConnected).toBe(true);
    expect(screen.queryByRole('table')).toBeNull();
    await go('#/');
    expect(screen.getByRole('table')).toBe(table);
  });

  test('the document title names the screen', async () => {
    await shell();
    await go('#/about');
    expect(document.title).toMatch(/^About ·/);
  });

  /** Addresses of the screens whose heading depends on more than the path. */
  const QUERIES: Record<string, readonly string[]> = {
    '/rank': ['', '?tab=documentary'],
    '/news/detail': ['?id=1'],
    '/mine/withdraw-way': ['?type=1', '?type=2'],
    '/mining/subscribe': ['?id=1'],
    '/mining/income': ['?id=1'],
  };
  // The market list and the trade screen stand side by side in one workspace; the workspace's windows have tabs instead.
  const WITHOUT = ['/', '/trade', '/workspace', '/panel'];
  const addresses = ROUTES.filter(({ path }) => !WITHOUT.includes(path)).flatMap(({ path }) =>
    (QUERIES[path] ?? ['']).map((query) => path + query),
  );
  test.each([
    ...addresses.map((address) => [address, ''] as const),
    ['/product', 'main-site'] as const,
  ])('title, heading and the label of main are the same: %s %s', async (address, variant) => {
    document.head.insertAdjacentHTML('beforeend', `<meta name="variant" content="${variant}">`);
    user.value = { id: 1, uid: '1', email: 'a@b.c', mobile: '', demo: false, inviteCode: '' };
    try {
      await shell({ silent: true });
      await go(`#${address}`);
      const main = screen.getByRole('main');
      const heading = await within(main).findByRole('heading', { level: 1 });
      expect(document.title).toMatch(/ ·/);
      expect(document.title.split(' ·')[0]).toBe(heading.textContent);
      expect(main.getAttribute('aria-label')).toBe(heading.textContent);
    } finally {
      user.value = undefined;
      document.head.querySelector('meta[name="variant"]')?.remove();
    }
  });
});
