import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import { windowPanel } from '#domain/workspace/layout';
import { type WindowMessage, writeMessage } from '#domain/workspace/messages';
import { ScriptedIndexedDb } from '../../../workers/support/scriptedIndexedDb';

const GROUP = 'group';
const OPENING_MS = 15_000;

/** The channel of the page, on whose other side the test is. */
let page: { onmessage: (event: { data: unknown }) => void };
/** What it has sent. */
let sent: object[];
const tell = (message: WindowMessage) => page.onmessage({ data: writeMessage(GROUP, message) });

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  sent = [];
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      onmessage = () => {};
      constructor() {
        page = this;
      }
      postMessage(message: object) {
        sent.push(message);
      }
      close() {}
    },
  );
  vi.stubGlobal('open', () => null);
});

afterEach(() => {
  vi.useRealTimers();
  sessionStorage.clear();
  location.hash = '';
});

/** A browser whose user blocks all cookies, as Firefox refuses. */
function blockSiteData() {
  const refused = () => new DOMException('', 'SecurityError');
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        throw refused();
      }
    },
  );
  const locks = { request: () => Promise.reject(refused()) };
  vi.stubGlobal('navigator', { ...navigator, locks });
}

/** Moves a panel of the main page into a window, as the message of another window may. */
async function withWindow() {
  const { layout } = await import('../../../../src/app/workspace/store');
  const [id = ''] = Object.keys(layout.peek().panels);
  const moved = windowPanel(layout.peek(), id);
  if (!moved) throw new Error('Such a panel has no window.');
  return moved;
}

it.each([
  ['is there, says so', true],
  ['never comes, says so after its time', false],
])('a window that opens another one, which %s', async (_, comes) => {
  const { joinWindowGroup, openWindow } = await import('../../../../src/app/workspace/windowGroup');
  const { receiveLayout } = await import('../../../../src/app/workspace/store');
  const { layout, area } = await withWindow();
  receiveLayout('one', layout);
  joinWindowGroup(GROUP, 'one', 'w9');
  const opened = openWindow(area);
  if (comes) tell({ kind: 'here', area });
  await vi.advanceTimersByTimeAsync(OPENING_MS);
  expect(await opened).toBe(comes);
});

it('the main page takes a window that another one opens for closed only after the time that it has to come', async () => {
  const { closedWindows, openWindowGroup } = await import(
    '../../../../src/app/workspace/windowGroup'
  );
  openWindowGroup(GROUP);
  await vi.advanceTimersByTimeAsync(2000);
  const { layout, area } = await withWindow();
  tell({ kind: 'layout', id: 'one', layout });
  expect(closedWindows.value).toEqual([]);
  await vi.advanceTimersByTimeAsync(OPENING_MS);
  expect(closedWindows.value).toEqual([area]);
  tell({ kind: 'here', area });
  expect(closedWindows.value).toEqual([]);
});

/** Locks of which a page is given those that it alone asks for; the others wait for `end`. */
function scriptLocks() {
  const waiting: (() => unknown)[] = [];
  const request = async (_name: string, options: unknown, granted: () => unknown) => {
    if ((options as LockOptions).mode === 'shared') waiting.push(granted);
    else granted();
  };
  vi.stubGlobal('navigator', { ...navigator, locks: { request } });
  return { end: () => waiting.splice(0).forEach((granted) => void granted()) };
}

it('a page that ends takes its crosshair from the others, also by a crash', async () => {
  const { end } = scriptLocks();
  const { openWindowGroup, sharedCrosshair } = await import(
    '../../../../src/app/workspace/windowGroup'
  );
  const { receiveLayout } = await import('../../../../src/app/workspace/store');
  openWindowGroup(GROUP);
  await vi.advanceTimersByTimeAsync(2000);
  const { layout, area } = await withWindow();
  receiveLayout('one', layout);
  tell({ kind: 'here', area });
  tell({ kind: 'crosshair', time: toUnixSeconds(60) });
  expect(sharedCrosshair.value?.time).toBe(60);
  end();
  expect(sharedCrosshair.value).toBeUndefined();

  sharedCrosshair.value = { time: toUnixSeconds(120), by: {} };
  dispatchEvent(new Event('pagehide'));
  const messages = sent as WindowMessage[];
  const times = messages.flatMap((each) => (each.kind === 'crosshair' ? [each.time] : []));
  expect(times).toEqual([120, undefined]);
});

it('a window stays while its main page loads again, however long that takes, and closes without one', async () => {
  const close = vi.spyOn(window, 'close').mockImplementation(() => {});
  const { joinWindowGroup } = await import('../../../../src/app/workspace/windowGroup');
  const { receiveLayout } = await import('../../../../src/app/workspace/store');
  const { layout, area } = await withWindow();
  receiveLayout('one', layout);
  joinWindowGroup(GROUP, 'one', area);
  tell({ kind: 'closing' });
  await vi.advanceTimersByTimeAsync(7_000);
  tell({ kind: 'loading' });
  await vi.advanceTimersByTimeAsync(40_000);
  tell({ kind: 'who' });
  // Nobody has left it.
  tell({ kind: 'loading' });
  await vi.advanceTimersByTimeAsync(100_000);
  expect(close).not.toHaveBeenCalled();
  tell({ kind: 'closing' });
  await vi.advanceTimersByTimeAsync(8_000);
  expect(close).toHaveBeenCalledOnce();
});

it('a page that was a main page says that it loads as soon as its code is there', async () => {
  const announced = writeMessage(GROUP, { kind: 'loading' });
  // It goes on once it has the layouts.
  const storage = new ScriptedIndexedDb();
  storage.isSilent = true;
  vi.stubGlobal('indexedDB', storage.factory);
  const { announceMain } = await import('../../../../src/app/workspace/windowGroup');
  location.hash = '#/trade';
  announceMain();
  sessionStorage.setItem('fulcrum.desk', GROUP);
  location.hash = '#/mine/history';
  announceMain();
  expect(sent).toEqual([]);
  location.hash = '#/trade?code=EURUSD';
  await import('../../../../src/app/workspace/WorkspaceScreen');
  expect(sent).toEqual([announced]);
});

it('the main page and a window stand alone where the browser refuses channel and locks', async () => {
  blockSiteData();
  const main = await import('../../../../src/app/workspace/windowGroup');
  main.openWindowGroup(GROUP);
  const { layout, area } = await withWindow();
  const { receiveLayout } = await import('../../../../src/app/workspace/store');
  receiveLayout('one', layout);
  // Nothing tells that the window is there.
  await vi.advanceTimersByTimeAsync(2000);
  expect(main.closedWindows.value).toEqual([area]);

  vi.resetModules();
  const { joinWindowGroup } = await import('../../../../src/app/workspace/windowGroup');
  expect(joinWindowGroup(GROUP, 'one', area)).toBe(true);
});
