import { act } from 'react';
import { HashRouter, useLocation } from 'react-router-dom';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ROUTES } from '../../../src/app/routes';
import { Shell } from '../../../src/app/Shell';
import { TABS } from '../../../src/app/tabs';
import { showLanguage } from '../../../src/i18n/i18n';
import { onPhone, render, settle } from '../render';
import { listRow, scriptGateway } from '../scriptedGateway';

/** §2's table: route and whether it has the footer. */
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

describe('the table (§2)', () => {
  test('has no row that the specification lacks, but the credits and the speed test', () => {
    const unknown = ROUTES.filter(({ path }) => !(path in SPEC)).map(({ path }) => path);
    expect(unknown).toEqual(['/about', '/bench']);
  });

  test('is in the order of the specification, each route once', () => {
    const order = Object.keys(SPEC);
    const places = ROUTES.filter(({ path }) => path in SPEC).map(({ path }) => order.indexOf(path));
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
  });

  test('gives the footer to the rows that have it', () => {
    const wrong = ROUTES.filter(({ path, footer }) => (SPEC[path] ?? false) !== (footer ?? false));
    expect(wrong).toEqual([]);
  });

  test('has the screens of this slice', () => {
    const paths = ROUTES.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/', '/trade', '/product', '/language']));
  });

  test('refreshes the list on entering / and /trade alone', () => {
    const refreshing = ROUTES.filter(({ refreshesList }) => refreshesList).map(({ path }) => path);
    expect(refreshing).toEqual(['/', '/trade']);
  });

  test('tabs come with their screens, in the order of the bar', () => {
    const bar = ['/rank?tab=documentary', '/order', '/', '/rank', '/trade'];
    const paths = new Set(ROUTES.map(({ path }) => path));
    expect(TABS.map(({ to }) => to)).toEqual(
      bar.filter((to) => paths.has(to.split('?')[0] as string)),
    );
  });

  test.each(
    ROUTES.filter(({ preload }) => preload).map(({ path, preload }) => ({ path, preload })),
  )('$path has a screen behind it', async ({ preload }) => {
    expect(await preload?.()).toBeTypeOf('function');
  });
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

  const shell = async () => {
    const worker = scriptGateway([listRow(1)]);
    const page = await render(
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

  test('every navigation makes sure of the socket; / and /trade refresh the list', async () => {
    const { worker } = await shell();
    expect([worker.count('ensureConnected'), worker.count('refreshList')]).toEqual([1, 0]);
    await go('#/');
    expect([worker.count('ensureConnected'), worker.count('refreshList')]).toEqual([2, 1]);
    await go('#/about');
    expect([worker.count('ensureConnected'), worker.count('refreshList')]).toEqual([3, 1]);
  });

  test('query parameters stand behind the hash', async () => {
    await shell();
    await go('#/about?from=%2Forder%3Ftype%3D1');
    expect(new URLSearchParams(where.search).get('from')).toBe('/order?type=1');
  });

  test('the list is kept alive: its screen is hidden, not thrown away', async () => {
    const { page } = await shell();
    await go('#/');
    const table = page.element.querySelector('[role="table"]');
    expect(table).not.toBeNull();
    await go('#/about');
    expect(table?.isConnected).toBe(true);
    expect(getComputedStyle(table?.closest('[style]') as HTMLElement).display).toBe('none');
    await go('#/');
    expect(page.element.querySelector('[role="table"]')).toBe(table);
  });

  test('the page is named after its screen', async () => {
    await shell();
    await go('#/about');
    expect(document.title).toMatch(/^About ·/);
  });
});
