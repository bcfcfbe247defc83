import { act, screen } from '@testing-library/react';
import { HashRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { failed, success } from '#domain/core/result';
import type { Watch } from '#domain/worker/workerApi';
import { ROUTES } from '../../../src/app/routes';
import { Shell } from '../../../src/app/Shell';
import { PANELS } from '../../../src/app/workspace/panels';
import { showLanguage } from '../../../src/i18n/i18n';
import type { PanelProps } from '../../../src/panels/panel';
import { user } from '../../../src/worker/trading';
import { drawn, samples } from '../../helpers/samples';
import { order } from '../features/sampleOrder';
import { onPhone, renderSettled, settle } from '../rendering';
import { listRow, scriptWorkerApi } from '../scriptedWorkerApi';
import { countSubscriptions, watchedBy } from '../subscriptions';

// The chart library draws on a canvas that happy-dom does not have; its own listeners are counted in tests/e2e/subscriptions.spec.ts.
vi.mock('../../../src/features/trading/chart/candleChart', () => ({
  createCandleChart: (host: HTMLElement) =>
    nothing({ host, space: nothing({ host }), parts: nothing({}) }),
}));
/** Has these fields, and functions that do nothing for all others. */
function nothing<T extends object>(fields: T): T {
  return new Proxy(fields, {
    get: (known, name) =>
      name in known
        ? known[name as keyof T]
        : () => (name === 'attach' ? () => undefined : undefined),
  });
}

const TIMES = samples(7, 20);
/** Until what is left has ended, ms: what lingers, and what is kept for a return, five minutes at most. */
const LONG = 310_000;

beforeEach(async () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560);
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
  await showLanguage('en');
  user.value = { id: 1, uid: '1', email: 'a@b.c', mobile: '', demo: false, inviteCode: '' };
});
afterEach(() => {
  vi.useRealTimers();
  user.value = undefined;
});

function script() {
  const rows = [1, 2, 3].map((id) => listRow(id));
  const worker = scriptWorkerApi(rows);
  const orders = [order({ id: 1 }), order({ id: 2, instrumentId: 2 })];
  const fails = async () => failed({ kind: 'transport', code: 'ERR_NETWORK' });
  Object.assign(worker.scripted, {
    ...{ alerts: fails, results: fails, statement: fails },
    cancelUpload: async () => undefined,
    watchOrders: async () => undefined,
    setTicket: async () => undefined,
    async watch({ candles }: Watch) {
      const bars = Float64Array.of(60, 1, 1, 1, 1, 1, 120, 1, 1, 1, 1, 1);
      for (const key of candles?.add ?? [])
        worker.frame({ candles: [{ ...key, change: 'replace', bars, more: false }] });
    },
    ordersOf: async () => orders,
    orders: async () =>
      success({
        total: orders.length,
        from: 0,
        orders,
        profit: '0',
        loading: false,
        failure: undefined,
      }),
    gridRows: async () =>
      success({ revision: 1, total: rows.length, from: 0, rows, loading: false }),
  });
  return { worker, rows };
}

/** Runs `use` once with real timers, which loads its code, and then many times: what is left after each may not grow. */
async function expectAllGivenBack(
  worker: ReturnType<typeof scriptWorkerApi>,
  use: (pause: (ms: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const before = watchedBy(worker);
  await use(async () => {
    // What is loaded is loaded by then: modules come in a few tasks each.
    for (let task = 0; task < 20; task++)
      await act(() => new Promise((resolve) => setTimeout(resolve)));
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const pause = (ms: number) =>
    act(async () => {
      await vi.advanceTimersByTimeAsync(ms);
    });
  const present = countSubscriptions();
  const counts: Record<string, number>[] = [];
  for (let time = 0; time < TIMES; time++) {
    await use(pause);
    await pause(LONG);
    counts.push(present());
  }
  const after = watchedBy(worker);
  expect(Object.entries(after).filter(([of, number]) => number !== (before[of] ?? 0))).toEqual([]);
  // What comes once, late, is no leak: that grows with most of the uses.
  const grows = (name: string) => {
    const numbers = counts.map((count) => count[name] ?? 0);
    const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0));
    return (steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0) > 0;
  };
  expect(Object.keys(counts.at(-1) ?? {}).filter(grows)).toEqual([]);
}

describe('what a screen subscribes ends with it', () => {
  const go = (hash: string) =>
    act(async () => {
      location.hash = hash;
      window.dispatchEvent(new PopStateEvent('popstate'));
    });
  const addresses = ROUTES.map(({ path }) => path).filter((path) => path !== '/about');

  test.each(drawn(addresses, 10))('%s', async (address) => {
    onPhone();
    location.hash = '#/about';
    const { worker } = script();
    await renderSettled(
      <HashRouter>
        <Shell />
      </HashRouter>,
    );
    await expectAllGivenBack(worker, async (pause) => {
      await go(`#${address}`);
      await pause(500);
      await go('#/about');
      await settle();
    });
    expect(screen.getByRole('main').dataset['path']).toBe('/about');
  });
});

describe('what a panel subscribes ends with it, and with its instrument', () => {
  test.each(drawn(PANELS, 5).map(({ id, load }) => [id, load] as const))('%s', async (_, load) => {
    const { worker, rows } = script();
    const { default: Panel } = await load();
    const panel = (row: number, period: PanelProps['period']) => (
      <HashRouter>
        <Panel
          row={rows[row]}
          pick={() => undefined}
          period={period}
          setPeriod={() => undefined}
          settings={undefined}
          save={() => undefined}
          crosshair={undefined}
          toolbar={document.createElement('div')}
        />
      </HashRouter>
    );
    await expectAllGivenBack(worker, async (pause) => {
      const page = await renderSettled(panel(0, '1min'));
      await pause(500);
      await act(async () => page.rerender(panel(1, '1min')));
      await pause(500);
      await act(async () => page.rerender(panel(1, '60min')));
      await pause(500);
      await act(async () => page.unmount());
    });
  });
});
