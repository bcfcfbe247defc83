/** Functions that run in the device's page. They are sent as text and use nothing from outside themselves. */
import type { Shown } from '#domain/workload/gate';
import type { Observed, ObserveTools, observe } from '../../src/probe/observe';
import type { rowsInSight } from '../../src/probe/rows';
import type { describeList, noteFirstQuote } from '../render/harness/probe';
import type { Report } from './result';

export interface Stage extends Observed {
  screen: { open: string; price: string; close: string } | undefined;
  /** Whether this is the contender's first page in the visit. */
  fresh: boolean;
  listed: Record<string, string>;
  /** How long it is waited for rows, and for the last quotes at the end; ms. */
  patience: number;
}

export interface Tools extends ObserveTools {
  describeList: typeof describeList;
  noteFirstQuote: typeof noteFirstQuote;
  observe: typeof observe;
  rowsInSight: typeof rowsInSight;
}

/** Measures the page it is in, reports, and goes to the next one. */
export async function playStage(stage: Stage, tools: Tools): Promise<void> {
  const { selectors, screen } = stage;
  localStorage.setItem('fulcrum.sandbox-notice-read', 'true');
  localStorage.setItem('fulcrum.welcome-read', 'true');
  if (selectors && stage.fresh) tools.noteFirstQuote(selectors, stage.listed);
  const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
  const read = (expression: string): unknown => new Function(`return ${expression}`)();
  let hidden = document.hidden;
  document.addEventListener('visibilitychange', () => {
    hidden = true;
  });

  const send = (path: string, body: unknown): Promise<Response> =>
    fetch(`/devices/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const post = async (path: string, body: unknown): Promise<unknown> =>
    (await send(path, body)).json();
  async function end(report: Report): Promise<void> {
    // Without a report the same step would be played again, for ever.
    if (!(await send('report', report)).ok) await send('report', { failure: 'refused' });
    location.replace('/devices/next');
  }
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
  if (!here) return end({ failure: selectors ? 'rows' : 'screen' });
  const offset = await clock();
  const observation = await tools.observe(stage, tools);

  await post('stop', {});
  const shown = (): Shown =>
    selectors
      ? { rows: tools.rowsInSight(selectors) }
      : {
          price: document.querySelector(screen?.price ?? '')?.textContent ?? '',
          // It has a chart: a close that is not there is wrong.
          close: Number(read(screen?.close ?? '')) || 0,
        };
  const right = await until(async () => {
    const answer = (await post('gate', shown())) as { right: boolean };
    return answer.right;
  });
  if (hidden) return end({ failure: 'hidden' });
  if (!right) return end({ failure: 'gate' });
  await end({
    ...observation,
    rows: selectors ? tools.rowsInSight(selectors).length : 0,
    firstQuote: window.benchFirst ?? null,
    clock: offset,
  });
}
