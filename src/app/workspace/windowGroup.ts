import { signal } from '@preact/signals-core';
import type { UnixSeconds } from '#domain/core/time';
import { type AreaId, MAIN_AREA, placeWindow, type ScreenPlace } from '#domain/workspace/layout';
import { isLayoutId, type LayoutId } from '#domain/workspace/layouts';
import { readMessage, type WindowMessage, writeMessage } from '#domain/workspace/messages';
import type { SharedCrosshair } from '../../panels/panel';
import { currentLocation } from '../../ui/currentLocation';
import { newKey } from '../../worker/key';
import { isWorkspace } from '../workspacePaths';
import { followMain } from './mainGroup';
import { PANEL_KINDS } from './panels';
import {
  edit,
  followLayout,
  followOtherTabs,
  layout,
  layouts,
  onLayoutChange,
  receiveLayout,
} from './store';

/**
 * The main page and its windows (architecture.md#windows). Each is a page of its own; they only
 * tell each other what has changed.
 */

const CHANNEL = 'fulcrum-workspace';
const WINDOW_GROUP_KEY = 'fulcrum.desk';
/** How long windows have to answer before they are taken for closed, ms. */
const ANSWER_MS = 1500;
/** How long windows wait for a main page that may be loading again, ms. */
const GRACE_MS = 8000;
/** And for one that is: a slow device or network needs long until it begins. */
const LOADING_MS = 60_000;
/** How long a page of the same window group may take to end, before this one is taken for a copy of it, ms. */
const TURNOVER_MS = 2000;
/** How long a new window has to say that it is there, ms. */
const OPENING_MS = 15_000;

/** Windows of the layout that are not open. */
export const closedWindows = signal<readonly AreaId[]>([]);
/** This page is a window whose main page has ended without saying so. */
export const mainLost = signal(false);
/** Which area of the layout this page shows. */
let ownArea: AreaId = MAIN_AREA;

let channel: BroadcastChannel | undefined;
let windowGroup = '';
/** The time under the crosshair that all charts share. */
export const sharedCrosshair = signal<SharedCrosshair | undefined>(undefined);
/** What other windows have the pointer on. */
const ELSEWHERE = {};
const open = new Set<AreaId>();
/** Whether windows that are open have had the time to say so. */
let answered = false;
let answering: ReturnType<typeof setTimeout> | undefined;

function send(message: WindowMessage): void {
  channel?.postMessage(writeMessage(windowGroup, message));
}

/** Tells the windows that a former page of this tab has left that their main page loads: not where its code is preloaded. */
export function announceMain(): void {
  const group = recall();
  if (group === null || !isWorkspace(currentLocation().pathname)) return;
  const announcing = openChannel();
  announcing?.postMessage(writeMessage(group, { kind: 'loading' }));
  announcing?.close();
}

/**
 * Begins as the main page of a window group, once for the life of the page. `asked`: the window group whose main page
 * has ended, and whose windows wait for another one.
 */
export function openWindowGroup(asked?: string): void {
  if (windowGroup !== '') return;
  windowGroup = rememberedWindowGroup(asked);
  void holdWindowGroup().then(beginMain);
}

/** The lock that the main page, or the window of an area, holds for as long as it lives. */
const lockName = (area: AreaId = MAIN_AREA) => `fulcrum-desk-${windowGroup}-${area}`;

/**
 * Holds the lock of the window group for as long as the page lives, so that its windows learn of its end even
 * where it could not say so. A copy of the tab has another window group: it was made with this one's name.
 */
async function holdWindowGroup(): Promise<void> {
  if (!navigator.locks) return;
  const hold = (signal?: AbortSignal) =>
    new Promise<boolean>((held) => {
      navigator.locks
        .request(lockName(), signal ? { signal } : {}, () => {
          held(true);
          return new Promise(() => undefined);
        })
        // A browser that blocks all site data gives no locks.
        .catch(() => held(!signal?.aborted));
    });
  if (await hold(AbortSignal.timeout(TURNOVER_MS))) return;
  windowGroup = newKey();
  remember(windowGroup);
  await hold();
}

function beginMain(): void {
  listen(onMainMessage);
  onLayoutChange((id, next) => {
    send({ kind: 'layout', id, layout: next });
    tellClosed();
  });
  followOtherTabs();
  addEventListener('pagehide', () => send({ kind: 'closing' }));
  addEventListener('pageshow', ({ persisted }) => persisted && ask());
  ask();
}

/** Begins as the window of an area. Returns whether there can be such a layout. */
export function joinWindowGroup(id: string, layoutId: string, area: AreaId): boolean {
  if (!isLayoutId(layoutId)) return false;
  if (windowGroup === '') {
    windowGroup = id;
    ownArea = area;
    followLayout(layoutId);
    followMain();
    listen((message) => onWindowMessage(message, layoutId));
    onLayoutChange((changed, next) => {
      send({ kind: 'layout', id: changed, layout: next });
      closeIfGone();
    });
    addEventListener('pagehide', () => tellPlace(true));
    addEventListener('resize', () => tellPlace(false));
    // Moving a window has no event of its own; after it the window loses the focus, or the pointer.
    addEventListener('blur', () => tellPlace(false));
    document.addEventListener('mouseleave', () => tellPlace(false));
    navigator.locks
      ?.request(lockName(area), () => new Promise(() => undefined))
      .catch(() => undefined);
    send({ kind: 'here', area });
    watchMain();
  }
  return true;
}

/** Firefox refuses one where the user blocks all cookies. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return undefined;
  }
}

function listen(onMessage: (message: WindowMessage) => void): void {
  channel = openChannel();
  if (!channel) return;
  channel.onmessage = ({ data }) => {
    const message = readMessage(data, windowGroup, PANEL_KINDS);
    if (message?.kind === 'crosshair') {
      const { time } = message;
      sharedCrosshair.value = time === undefined ? undefined : { time, by: ELSEWHERE };
    } else if (message) onMessage(message);
  };
  let sent: UnixSeconds | undefined;
  sharedCrosshair.subscribe((at) => {
    if (at?.by === ELSEWHERE || at?.time === sent) return;
    sent = at?.time;
    if (layout.peek().areas.length > 1) send({ kind: 'crosshair', time: sent });
  });
  // The pointer does not leave a window that a key closes.
  addEventListener('pagehide', () => {
    sharedCrosshair.value = undefined;
  });
}

/** The page that has the pointer may have crashed. */
function forgetPointer(): void {
  if (sharedCrosshair.peek()?.by === ELSEWHERE) sharedCrosshair.value = undefined;
}

function ask(): void {
  answered = false;
  send({ kind: 'who' });
  clearTimeout(answering);
  answering = setTimeout(() => {
    answered = true;
    tellClosed();
  }, ANSWER_MS);
}

function onMainMessage(message: WindowMessage): void {
  const { current } = layouts.peek();
  switch (message.kind) {
    case 'layout':
      if (message.id !== current) break;
      for (const { id } of message.layout.areas) {
        if (layout.peek().areas.some((known) => known.id === id)) continue;
        // A window opens another one.
        open.add(id);
        void arrival(id);
      }
      receiveLayout(message.id, message.layout);
      followMain();
      break;
    case 'here':
      open.add(message.area);
      watchWindow(message.area);
      arrivals.get(message.area)?.();
      // A window of another layout closes when it hears of this one.
      send({ kind: 'layout', id: current, layout: layout.peek() });
      break;
    case 'placed':
      if (message.closing) open.delete(message.area);
      if (layout.peek().areas.some(({ id }) => id === message.area)) {
        edit((present) => placeWindow(present, message.area, message.screen));
      }
      break;
    default:
      return;
  }
  tellClosed();
}

const watched = new Set<AreaId>();

/**
 * Waits for the end of a window, which a crash of it does not tell. One that has loaded again may
 * have answered before the lock of its last page was free, so it is asked.
 */
function watchWindow(area: AreaId): void {
  if (watched.has(area) || !navigator.locks) return;
  watched.add(area);
  navigator.locks
    .request(lockName(area), { mode: 'shared' }, () => {
      watched.delete(area);
      open.delete(area);
      forgetPointer();
      ask();
    })
    .catch(() => undefined);
}

let closing: ReturnType<typeof setTimeout> | undefined;
let watching = false;

/** Waits for the end of the main page: its lock is free then. */
function watchMain(): void {
  if (watching || !navigator.locks) return;
  watching = true;
  navigator.locks
    .request(lockName(), { mode: 'shared' }, () => {
      watching = false;
      forgetPointer();
      // One that has said so may be loading again.
      if (closing === undefined) mainLost.value = true;
    })
    .catch(() => undefined);
}

function onWindowMessage(message: WindowMessage, layoutId: LayoutId): void {
  switch (message.kind) {
    case 'layout':
      // The main page shows another layout now, in which this window has no place.
      if (message.id === layoutId) {
        receiveLayout(layoutId, message.layout);
        followMain();
      } else window.close();
      closeIfGone();
      break;
    case 'who':
      clearTimeout(closing);
      closing = undefined;
      mainLost.value = false;
      watchMain();
      send({ kind: 'here', area: ownArea });
      break;
    case 'here':
      arrivals.get(message.area)?.();
      break;
    case 'closing':
      closeIn(GRACE_MS);
      break;
    case 'loading':
      if (closing !== undefined) closeIn(LOADING_MS);
  }
}

function closeIn(wait: number): void {
  clearTimeout(closing);
  closing = setTimeout(() => window.close(), wait);
}

function closeIfGone(): void {
  if (!layout.peek().areas.some(({ id }) => id === ownArea)) window.close();
}

function tellPlace(isClosing: boolean): void {
  const screen: ScreenPlace = {
    left: window.screenX,
    top: window.screenY,
    width: innerWidth,
    height: innerHeight,
  };
  send({ kind: 'placed', area: ownArea, screen, closing: isClosing });
}

/** Windows that closed say nothing of the layout: they can be opened again. */
function tellClosed(): void {
  if (!answered) return;
  const areas = layout.peek().areas.map(({ id }) => id);
  const next = areas.filter((id) => id !== MAIN_AREA && !open.has(id));
  if (next.join() !== closedWindows.peek().join()) closedWindows.value = next;
}

/** Called when the window of an area says that it is there. */
const arrivals = new Map<AreaId, () => void>();

/**
 * Opens the window of an area, where it stood last. Call it in the handler of a click or a key.
 * Resolves when the window is there, with false where the browser has refused it. It has no opener:
 * the browser then runs it in a process of its own, which a crash of this page leaves alone.
 */
export async function openWindow(area: AreaId): Promise<boolean> {
  const { current } = layouts.peek();
  const place = layout.peek().areas.find(({ id }) => id === area)?.screen;
  const path = new URLSearchParams({ desk: windowGroup, layout: current, area });
  const { left, top, width, height } = place ?? beside();
  // A browser opens one window for each click.
  const isFirst = navigator.userActivation?.isActive !== false;
  window.open(
    `${location.pathname}${location.search}#/panel?${path}`,
    '_blank',
    `popup,noopener,left=${left},top=${top},width=${width},height=${height}`,
  );
  if (isFirst) open.add(area);
  tellClosed();
  return arrival(area);
}

/** Whether the window of an area that is being opened says in time that it is there. */
async function arrival(area: AreaId): Promise<boolean> {
  const arrived = await new Promise<boolean>((resolve) => {
    arrivals.set(area, () => resolve(true));
    setTimeout(() => resolve(false), OPENING_MS);
  });
  arrivals.delete(area);
  if (!arrived) open.delete(area);
  tellClosed();
  return arrived;
}

/** Opens another main page for this window's window group. Call it in the handler of a click or a key. */
export function reopenMain(): void {
  const path = new URLSearchParams({ desk: windowGroup });
  window.open(`${location.pathname}${location.search}#/workspace?${path}`, '_blank', 'noopener');
}

/** Where a new window stands: over this one, a little smaller. */
function beside(): ScreenPlace {
  return {
    left: Math.round(window.screenX + outerWidth / 4),
    top: Math.round(window.screenY + outerHeight / 4),
    width: Math.max(360, Math.round(innerWidth / 2)),
    height: Math.max(360, Math.round(innerHeight / 2)),
  };
}

/** The same after the page has loaded again, so that its windows know it. */
function rememberedWindowGroup(asked: string | undefined): string {
  const windowGroup = asked || recall() || newKey();
  remember(windowGroup);
  return windowGroup;
}

function recall(): string | null {
  try {
    return sessionStorage.getItem(WINDOW_GROUP_KEY);
  } catch {
    return null;
  }
}

function remember(windowGroup: string): void {
  try {
    sessionStorage.setItem(WINDOW_GROUP_KEY, windowGroup);
  } catch {
    // Windows do not find this page again after it has loaded again.
  }
}
