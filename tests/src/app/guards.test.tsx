import { act, screen, waitFor } from '@testing-library/react';
import { HashRouter, unstable_HistoryRouter as HistoryRouter, useLocation } from 'react-router-dom';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { User } from '#domain/account/user';
import { barrier } from '../../../src/app/Guard';
import { loginPath, returnPath } from '../../../src/app/navigation';
import { type AppRoute, ROUTES, routeOf } from '../../../src/app/routes';
import { Shell } from '../../../src/app/Shell';
import { showLanguage } from '../../../src/i18n/i18n';
import { createSheetHistory } from '../../../src/ui/sheetHistory';
import { user } from '../../../src/worker/trading';
import { onPhone, renderSettled, settle } from '../rendering';
import { listRow, scriptWorkerApi } from '../scriptedWorkerApi';

const ann: User = {
  id: 1,
  uid: '1',
  email: 'a@b.example',
  mobile: '',
  demo: false,
  inviteCode: '',
};
const demo: User = { ...ann, id: 2, demo: true };

const row = (path: string) => routeOf(path) as AppRoute;

describe('the table of access (screens.md#access)', () => {
  test('gives visitors only chat, email and announcement below /mine', () => {
    const open = ROUTES.filter(
      (route) => route.path.startsWith('/mine/') && barrier(route, null) === 'none',
    ).map(({ path }) => path);
    expect(open.sort()).toEqual(['/mine/announcement', '/mine/chat', '/mine/email']);
  });

  test('keeps demo users out of the screens of real accounts (screens.md#demo-accounts)', () => {
    const real = ROUTES.filter((route) => barrier(route, demo) === 'real-account');
    expect(real.map(({ path }) => path).sort()).toEqual([
      '/mine/auth',
      '/mine/bank-card-list',
      '/mine/charge',
      '/mine/coin-address-list',
      '/mine/devices',
      '/mine/invite',
      '/mine/passkeys',
      '/mine/password',
      '/mine/security',
      '/mine/two-factor',
      '/mine/wallet',
      '/mine/withdraw',
      '/mine/withdraw-way',
    ]);
  });

  test('gives real users every screen', () => {
    expect(ROUTES.filter((route) => barrier(route, ann) !== 'none')).toEqual([]);
  });

  test('redirects no one to the login before the session is known', () => {
    expect(barrier(row('/order'), undefined)).toBe('unknown');
    expect(barrier(row('/'), undefined)).toBe('none');
  });
});

describe('the paths of the login', () => {
  test.each([
    ['/order?type=1', '/order?type=1'],
    ['/mining/subscribe?id=7', '/mining/subscribe?id=7'],
    ['/', '/'],
    ['', '/'],
    ['/Order/?type=1', '/order?type=1'],
    ['/Login/', '/'],
    ['/nowhere', '/'],
    ['/login', '/'],
    ['/register?invite_code=X', '/'],
    ['//evil.example', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['order', '/'],
  ])('from=%s leads to %s', (from, to) => {
    expect(returnPath(`?${new URLSearchParams({ from })}`)).toBe(to);
  });

  test.each([
    ['/order', '?type=1', '/login?from=%2Forder%3Ftype%3D1'],
    ['/', '', '/login'],
    ['/register', '?from=%2Forder', '/login?from=%2Forder'],
  ])('%s%s leads to %s', (pathname, search, to) => {
    expect(loginPath({ pathname, search })).toBe(to);
  });
});

describe('guards in the app', () => {
  let where = '';
  function Where() {
    const { pathname, search } = useLocation();
    where = pathname + search;
    return null;
  }

  beforeEach(async () => {
    onPhone();
    await showLanguage('en');
    user.value = undefined;
    vi.stubGlobal('requestIdleCallback', () => 0);
    vi.stubGlobal('cancelIdleCallback', () => undefined);
  });

  async function open(hash: string) {
    location.hash = hash;
    const worker = scriptWorkerApi([listRow(1)]);
    await renderSettled(
      <HashRouter>
        <Shell />
        <Where />
      </HashRouter>,
    );
    await settle();
    return {
      frame: (frame: Parameters<typeof worker.frame>[0]) => act(async () => worker.frame(frame)),
    };
  }

  test('sends a visitor to the login, and back after a login in any tab', async () => {
    const { frame } = await open('#/mine/system?x=1');
    await frame({ user: null });
    await waitFor(() => expect(where).toBe('/login?from=%2Fmine%2Fsystem%3Fx%3D1'));
    await frame({ user: demo });
    await waitFor(() => expect(where).toBe('/mine/system?x=1'));
  });

  test.each([
    ['a demo user', demo],
    ['a real user', ann],
  ])('a login of %s leaves no screen that logs in before it', async (_, entering) => {
    history.pushState(null, '', '#/feedback');
    const app = createSheetHistory();
    const worker = scriptWorkerApi([listRow(1)]);
    await renderSettled(
      <HistoryRouter history={app}>
        <Shell />
      </HistoryRouter>,
    );
    const frame = (user: User | null) => act(async () => worker.frame({ user }));
    const go = (path: string) => act(async () => app.push(path));
    await frame(null);
    await go('/about');
    const { idx } = history.state;
    const from = '?from=%2Fabout';
    for (const path of ['/login', '/register', '/login', '/forgot']) await go(path + from);
    await frame(entering);
    await settle();
    expect(location.hash).toBe('#/about');
    expect(history.state.idx).toBe(idx);
    // Who has a demo account may go to the login.
    await go(`/register${from}`);
    await settle();
    expect(location.hash).toBe(`#/register${from}`);
  });

  test('redirects a demo user who logs in as a real user as well', async () => {
    const { frame } = await open('#/login?from=%2Fmine%2Femail');
    await frame({ user: demo });
    await settle();
    expect(where).toBe('/login?from=%2Fmine%2Femail');
    await frame({ user: ann });
    await waitFor(() => expect(where).toBe('/mine/email'));
  });

  test('redirects to the login on code 999 with a message, unless the call was an initial one (protocol.md#errors)', async () => {
    const { frame } = await open('#/mine/email');
    await frame({ user: ann });
    await frame({ user: null, events: [{ type: 'signed-out', initial: true }] });
    await settle();
    expect(where).toBe('/mine/email');
    await frame({ user: ann });
    await frame({ user: null, events: [{ type: 'signed-out', initial: false }] });
    await waitFor(() => expect(where).toBe('/login?from=%2Fmine%2Femail'));
    await screen.findAllByText(/Please log in again\./);
  });

  test('stays where a page that was hidden hears of code 999 after another login', async () => {
    const { frame } = await open('#/mine/email');
    await frame({ user: ann, events: [{ type: 'signed-out', initial: false }] });
    await settle();
    expect(where).toBe('/mine/email');
    expect(screen.queryByText(/Please log in again\./)).toBeNull();
  });

  test('drops hidden screens when the user changes', async () => {
    const { frame } = await open('#/');
    await frame({ user: ann });
    const table = screen.getByRole('table');
    await frame({ user: null });
    await settle();
    expect(table.isConnected).toBe(false);
    expect(screen.getByRole('table').isConnected).toBe(true);
  });

  test('keeps hidden screens when the session becomes known', async () => {
    const { frame } = await open('#/');
    const table = screen.getByRole('table');
    await frame({ user: null });
    await frame({ user: ann });
    expect(table.isConnected).toBe(true);
  });
});
