import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HashRouter } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#domain/account/user';
import { toDurationMs } from '#domain/core/time';
import { alertWish, openAlertForm } from '../../../src/alerts/alertWish';
import { useWishes } from '../../../src/app/Deferred';
import { ErrorBoundary } from '../../../src/app/ErrorBoundary';
import { preloadScreen } from '../../../src/app/lazyScreen';
import Mark from '../../../src/app/Mark';
import { readyScreens } from '../../../src/app/readyScreens';
import { routeOf } from '../../../src/app/routes';
import { Shell } from '../../../src/app/Shell';
import { TABS } from '../../../src/app/tabs';
import { showLanguage } from '../../../src/i18n/i18n';
import { proposal } from '../../../src/instruments/proposal';
import { sandboxNoticeRead } from '../../../src/preferences/preferences';
import { toasts } from '../../../src/ui/toastStore';
import { layoutsUnsaved } from '../../../src/worker/unsaved';
import { eventually } from '../../helpers/eventually';
import { onPhone, renderSettled, settle } from '../rendering';
import { listRow, scriptWorkerApi } from '../scriptedWorkerApi';

beforeEach(async () => {
  onPhone();
  await showLanguage('en');
  location.hash = '#/about';
  sandboxNoticeRead.value = false;
  // Tests of layouts have no database.
  layoutsUnsaved.value = false;
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
});

async function shell() {
  const worker = scriptWorkerApi([listRow(1)]);
  const page = await renderSettled(
    <HashRouter>
      <Shell />
    </HashRouter>,
  );
  await settle();
  const frame = (frame: Parameters<typeof worker.frame>[0]) => act(async () => worker.frame(frame));
  return { ...worker, page, frame, text: () => document.body.textContent ?? '' };
}

test('the notice can be dismissed', async () => {
  const { text } = await shell();
  expect(text()).toContain('Sandbox: no real money.');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
  expect(text()).not.toContain('Sandbox: no real money.');
});

test.each([
  ['Sandbox', null, 'This is a sandbox'],
  ['Demo account', { demo: true }, 'demo account: its money is virtual'],
])('the mark %s says what it marks', async (mark, who, meaning) => {
  const { frame } = scriptWorkerApi();
  sandboxNoticeRead.value = true;
  await renderSettled(<Mark />);
  await act(async () => frame({ user: who as User | null }));
  await userEvent.click(screen.getByRole('button', { name: mark }));
  expect(toasts.value.at(-1)?.text).toContain(meaning);
});

test('beside the notice, the sandbox has no mark', async () => {
  const { frame } = scriptWorkerApi();
  const { container } = await renderSettled(<Mark />);
  await act(async () => frame({ user: null }));
  expect(container.textContent).toBe('');
});

test.each([
  ['connecting', 'Connecting'],
  ['live', 'Live'],
  ['stale', 'Not up to date'],
  ['offline', 'Offline'],
] as const)('shows that the link is %s', async (state, words) => {
  const { frame } = await shell();
  await frame({ connection: { state, marketOffset: undefined } });
  expect(screen.getAllByRole('status')[0]?.textContent).toBe(words);
});

test('says that prices are slow, and why, until they are live', async () => {
  const { frame, text } = await shell();
  await frame({ connection: { state: 'slow', marketOffset: undefined } });
  await screen.findByText('Slow prices');
  await screen.findByText('Slow prices: this network blocks live updates.');
  await frame({ connection: { state: 'live', marketOffset: undefined } });
  expect(text()).not.toContain('Slow');
});

test('the day of a recorded market is named, that of a current one is not', async () => {
  vi.stubEnv('TZ', 'Asia/Kathmandu');
  const { frame, text } = await shell();
  const marketOffset = toDurationMs(new Date(2014, 4, 7, 0, 5).getTime() - Date.now());
  await frame({ connection: { state: 'live', marketOffset, recorded: true } });
  expect(text()).toContain('Recorded May 7, 2014');
  // The date of this device is years ahead.
  await frame({ connection: { state: 'live', marketOffset, recorded: false } });
  expect(text()).not.toContain('Recorded');
  vi.unstubAllEnvs();
});

test('a new version is offered, not loaded by itself', async () => {
  const { frame, text } = await shell();
  expect(text()).not.toContain('new version');
  await frame({ events: [{ type: 'new-version', version: '2', required: false }] });
  await screen.findByText('A new version is ready.');
});

test('notices and failures are shown once each, in order (screens.md#messages)', async () => {
  const { frame, text } = await shell();
  await frame({
    events: [
      { type: 'notice', tone: 'info', text: 'Order closed' },
      { type: 'failure', failure: { kind: 'transport', code: 'ERR_NETWORK' } },
      { type: 'failure', failure: { kind: 'cancelled' } },
    ],
  });
  await screen.findAllByText(/ERR_NETWORK/);
  expect(text().match(/Order closed/g)).toHaveLength(1);
});

test('a failure ends with its screen, a confirmation stays on the next one', async () => {
  const { frame, text } = await shell();
  await frame({
    events: [
      { type: 'notice', tone: 'info', text: 'Order closed' },
      { type: 'notice', tone: 'error', text: 'Amount too small' },
    ],
  });
  await screen.findAllByText('Amount too small');
  await act(async () => {
    location.hash = '#/feedback';
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await waitFor(() => expect(text()).not.toContain('Amount too small'));
  expect(text()).toContain('Order closed');
});

function Wishes() {
  useWishes();
  return null;
}

test('what was asked for on a screen that was left opens on no other, also before its code was there', async () => {
  location.hash = '#/trade';
  openAlertForm('EURUSD');
  proposal.value = { code: 'EURUSD', side: 'buy' };
  location.hash = '#/order';
  await renderSettled(
    <HashRouter>
      <Wishes />
    </HashRouter>,
  );
  expect([alertWish.value, proposal.value]).toEqual([undefined, undefined]);
  const go = (path: string) =>
    act(async () => {
      location.hash = path;
      dispatchEvent(new PopStateEvent('popstate'));
    });
  await go('/');
  openAlertForm('EURUSD');
  proposal.value = { code: 'EURUSD', side: 'buy' };
  await go('/trade');
  expect(alertWish.value).toBeUndefined();
  expect(proposal.value).toBeDefined();
  await go('/');
  expect(proposal.value).toBeUndefined();
});

test('the spinner (screens.md#busy-overlay) blocks the page until any answer arrives', async () => {
  const { frame } = await shell();
  await frame({ events: [{ type: 'busy', busy: true }] });
  const spinner = await screen.findByRole<HTMLDialogElement>('dialog');
  expect(spinner.open).toBe(true);
  const escaped = new Event('cancel', { cancelable: true });
  spinner.dispatchEvent(escaped);
  expect(escaped.defaultPrevented).toBe(true);
  await frame({ events: [{ type: 'busy', busy: false }] });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an app that is out of service sends its users to another address (protocol.md#app-status)', async () => {
  const { frame } = await shell();
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  await frame({ events: [{ type: 'leave', url: 'https://elsewhere.example/' }] });
  expect(assign).toHaveBeenCalledWith('https://elsewhere.example/');
  assign.mockRestore();
});

test('an app that is out of service without an address shows a message', async () => {
  const { frame } = await shell();
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  await frame({ events: [{ type: 'leave', url: '' }] });
  await screen.findAllByText('The service is closed at the moment.');
  expect(assign).not.toHaveBeenCalled();
  assign.mockRestore();
});

test('a screen whose code is there is shown with the navigation', async () => {
  await shell();
  await preloadScreen('/feedback');
  const tap = () => {
    location.hash = '#/feedback';
    dispatchEvent(new PopStateEvent('popstate'));
  };
  act(tap);
  expect(screen.getByRole('main').textContent).toContain('Feedback');
});

test('while the page is idle, formats are made and the screens of all tabs loaded', async () => {
  vi.stubGlobal('requestIdleCallback', (task: () => void) => queueMicrotask(task));
  const formats = [Intl.NumberFormat, Intl.DateTimeFormat].map(({ prototype }) =>
    vi.spyOn(prototype as { readonly format: unknown }, 'format', 'get'),
  );
  await shell();
  const files = TABS.map(({ to }) => routeOf(to.replace(/\?.*/, ''))?.file).filter(Boolean);
  await eventually(() => expect([...readyScreens.keys()]).toEqual(expect.arrayContaining(files)));
  for (const format of formats) expect(format).toHaveBeenCalled();
});

test('a screen that throws shows an error, and another path renders again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  function Broken(): never {
    throw new Error('broken');
  }
  const page = await renderSettled(
    <ErrorBoundary resetKey="/a">
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('alert').textContent).toContain('Try again');
  await act(async () => page.rerender(<ErrorBoundary resetKey="/b">{'fine'}</ErrorBoundary>));
  expect(page.container.textContent).toBe('fine');
});

test('a screen that is kept while it is hidden does not keep the focus', async () => {
  location.hash = '#/';
  await shell();
  const main = screen.getByRole('main');
  const button = main.querySelector('button');
  button?.focus();
  expect(document.activeElement).toBe(button);
  await act(async () => {
    location.hash = '#/about';
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await settle();
  expect(button?.isConnected).toBe(true);
  expect(document.activeElement).toBe(main);
});
