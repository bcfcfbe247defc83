/** Functions that run in the device's page. They are sent as text and use nothing from outside themselves. */
import type {
  describeList,
  noteFirstQuote,
  rowsInSight,
  Selectors,
  watchPrices,
  watchSmoothness,
} from '../render/harness/probe';
import type { FAILURES, Report } from './result';

export interface Stage {
  selectors: Selectors | undefined;
  screen: { open: string; price: string; close: string } | undefined;
  scrolling: boolean;
  /** Whether this is the contender's first page in the visit. */
  fresh: boolean;
  listed: Record<string, string>;
  /** Seconds. */
  warmUp: number;
  window: number;
  /** How long it is waited for rows, and for the last quotes at the end; ms. */
  patience: number;
}

export interface Tools {
  describeList: typeof describeList;
  noteFirstQuote: typeof noteFirstQuote;
  rowsInSight: typeof rowsInSight;
  watchPrices: typeof watchPrices;
  watchSmoothness: typeof watchSmoothness;
}

/** Measures the page it is in, reports, and goes to the next one. */
export async function playStage(stage: Stage, tools: Tools): Promise<void> {
  const { selectors, screen } = stage;
  localStorage.setItem('fulcrum.sandbox-notice-read', 'true');
  localStorage.setItem('fulcrum.welcome-read', 'true');
  if (selectors && stage.fresh) tools.noteFirstQuote(selectors, stage.listed);
  const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
  const read = (expression: string): unknown => new Function(`return ${expression}`)();
  const can = (type: string) => PerformanceObserver.supportedEntryTypes.includes(type);
  let hidden = document.hidden;
  document.addEventListener('visibilitychange', () => {
    hidden = true;
  });

  async function post(path: string, body: unknown): Promise<unknown> {
    const answer = await fetch(`/devices/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.json();
  }
  async function end(report: Report): Promise<void> {
    await post('report', report);
    location.replace('/devices/next');
  }
  const fail = (failure: (typeof FAILURES)[number]) => end({ failure });
  async function until(condition: () => unknown): Promise<boolean> {
    const deadline = performance.now() + stage.patience;
    while (performance.now() < deadline) {
      if (await condition()) return true;
      await pause(50);
    }
    return false;
  }
  /** The server's clock less this one; the quickest answer has the smallest error. */
  async function clock(): Promise<{ offset: number; error: number }> {
    let best = { offset: 0, error: 600_000 };
    for (let i = 0; i < 8; i++) {
      const before = performance.timeOrigin + performance.now();
      const { now } = (await post('clock', {})) as { now: number };
      const after = performance.timeOrigin + performance.now();
      const error = (after - before) / 2;
      if (error < best.error) best = { offset: now - (before + after) / 2, error };
    }
    return best;
  }

  let close: unknown;
  /** Open, and its chart has moved: bars may arrive later than the canvas. */
  function moving(): boolean {
    if (!screen || document.readyState !== 'complete' || !read(screen.open)) return false;
    try {
      const before = close;
      close = read(screen.close);
      return before !== undefined && close !== undefined && close !== before;
    } catch {
      // The chart is not there yet.
      return false;
    }
  }
  const here = selectors
    ? await until(() => {
        const list = tools.describeList(selectors);
        return list && list.filled >= Math.floor(list.height / list.row);
      })
    : await until(moving);
  if (!here) return fail(selectors ? 'rows' : 'screen');
  const offset = await clock();

  if (can('long-animation-frame') && can('event')) tools.watchSmoothness();
  await pause(stage.warmUp * 1000);
  if (window.benchLong) window.benchLong.length = 0;
  if (window.benchDelays) window.benchDelays.length = 0;
  window.benchEvents?.clear();

  const intervals: number[] = [];
  const begin = performance.now();
  let last = begin;
  let counting = true;
  const request = window.requestAnimationFrame.bind(window);
  request(function frame(time) {
    if (!counting) return;
    if (time > last) intervals.push(time - last);
    last = Math.max(last, time);
    request(frame);
  });
  // Observing each price costs time: not while it scrolls.
  if (selectors && !stage.scrolling) tools.watchPrices(selectors);
  let scroller = selectors && document.querySelector(selectors.row)?.parentElement;
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement;
  for (let down = true; performance.now() - begin < stage.window * 1000; down = !down) {
    if (stage.scrolling) {
      const top = (down ? 2 : -2) * (scroller?.clientHeight ?? 0);
      scroller?.scrollBy({ top, behavior: 'smooth' });
    }
    await pause(Math.min(1000, stage.window * 1000));
  }
  counting = false;
  const seconds = (performance.now() - begin) / 1000;
  const long = window.benchLong?.slice();
  const events = window.benchEvents && [...window.benchEvents.values()];
  const inputDelays = window.benchDelays?.slice() ?? [];

  await post('stop', {});
  const shown = () =>
    selectors
      ? { rows: tools.rowsInSight(selectors) }
      : {
          price: document.querySelector(screen?.price ?? '')?.textContent ?? '',
          close: Number(read(screen?.close ?? '')) || null,
        };
  const right = await until(async () => {
    const answer = (await post('gate', shown())) as { right: boolean };
    return answer.right;
  });
  if (hidden) return fail('hidden');
  if (!right) return fail('gate');
  await end({
    seconds,
    rows: selectors ? tools.rowsInSight(selectors).length : 0,
    firstQuote: window.benchFirst ?? null,
    intervals,
    longFrames: long ?? null,
    events: events ?? null,
    inputDelays,
    seen: window.benchSeen ?? [],
    clock: offset,
  });
}
