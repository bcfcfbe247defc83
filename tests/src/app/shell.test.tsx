import { act } from 'react';
import { HashRouter } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from '../../../src/app/ErrorBoundary';
import { Shell } from '../../../src/app/Shell';
import { showLanguage } from '../../../src/i18n/i18n';
import { sandboxNoticeRead } from '../../../src/session/preferences';
import { click, onPhone, render, settle, until } from '../render';
import { listRow, scriptGateway } from '../scriptedGateway';

beforeEach(async () => {
  onPhone();
  await showLanguage('en');
  location.hash = '#/about';
  sandboxNoticeRead.value = false;
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
});

async function shell() {
  const worker = scriptGateway([listRow(1)]);
  const page = await render(
    <HashRouter>
      <Shell />
    </HashRouter>,
  );
  await settle();
  const frame = (frame: Parameters<typeof worker.frame>[0]) => act(async () => worker.frame(frame));
  return { ...worker, page, frame, text: () => document.body.textContent ?? '' };
}

test('the notice can be dismissed, the DEMO mark stays', async () => {
  const { page, text } = await shell();
  expect(text()).toContain('no real money');
  await click(page.element.querySelector('[aria-label="Dismiss"]'));
  expect(page.element.querySelector('[role="status"]')?.parentElement?.textContent).toMatch(
    /^DEMO/,
  );
  expect(page.element.querySelector('[aria-label="Dismiss"]')).toBeNull();
});

test.each([
  ['connecting', 'Connecting'],
  ['live', 'Live'],
  ['stale', 'Not up to date'],
  ['offline', 'Offline'],
] as const)('a link that is %s says so', async (state, words) => {
  const { page, frame } = await shell();
  await frame({ link: { state, marketOffset: undefined } });
  expect(page.element.querySelector('[role="status"]')?.textContent).toBe(words);
});

test('a new version is offered, not forced', async () => {
  const { frame, text } = await shell();
  expect(text()).not.toContain('new version');
  await frame({ events: [{ type: 'new-version' }] });
  await until(() => text().includes('A new version is ready.'));
});

test('notices and failures are told once each, in order (screens.md#messages)', async () => {
  const { frame, text } = await shell();
  await frame({
    events: [
      { type: 'notice', tone: 'info', text: 'Order closed' },
      { type: 'failure', failure: { kind: 'transport', code: 'ERR_NETWORK' } },
      { type: 'failure', failure: { kind: 'cancelled' } },
    ],
  });
  await until(() => text().includes('ERR_NETWORK'));
  expect(text().match(/Order closed/g)).toHaveLength(1);
});

test('the spinner (screens.md#busy-overlay) blocks the page until the answer, whatever it is', async () => {
  const { frame } = await shell();
  await frame({ events: [{ type: 'busy', busy: true }] });
  await until(() => document.querySelector('dialog')?.open === true);
  const escaped = new Event('cancel', { cancelable: true });
  document.querySelector('dialog')?.dispatchEvent(escaped);
  expect(escaped.defaultPrevented).toBe(true);
  await frame({ events: [{ type: 'busy', busy: false }] });
  expect(document.querySelector('dialog')).toBeNull();
});

test('an app that is out of service sends its users elsewhere (protocol.md#app-status)', async () => {
  const { frame } = await shell();
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  await frame({ events: [{ type: 'leave', url: 'https://elsewhere.example/' }] });
  expect(assign).toHaveBeenCalledWith('https://elsewhere.example/');
  assign.mockRestore();
});

test('a screen that fails says so, and another path begins anew', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  function Broken(): never {
    throw new Error('broken');
  }
  const page = await render(
    <ErrorBoundary resetKey="/a">
      <Broken />
    </ErrorBoundary>,
  );
  expect(page.element.querySelector('[role="alert"]')?.textContent).toContain('Try again');
  await page.rerender(<ErrorBoundary resetKey="/b">{'fine'}</ErrorBoundary>);
  expect(page.element.textContent).toBe('fine');
  vi.restoreAllMocks();
});
