import { act, createElement as h } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { unstable_HistoryRouter as HistoryRouter } from 'react-router-dom';
import { vi } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import type { Frame, FramePort } from '#domain/worker/workerApi';
import { klineRow } from '../../workers/support/klineRow';
import { ScriptedTabs } from '../../workers/support/scriptedTabs';
import { TestServer } from '../../workers/support/testServer';
import { FakeClock } from '../../workers/support/fakeClock';
import {
  createTestWorker,
  instrumentRow,
  MemoryStorage,
  START,
  serverOf,
  type TestWorker,
} from '../../workers/support/testWorker';
import { Network, type SimulatedSocket } from '../../workers/simulation/network';
import { PageLife } from '../../workers/simulation/pageLife';
import type { SeededRandom } from '../../workers/simulation/seededRandom';
import { tickRow, ticks } from '../../workers/support/ticks';

/** Code, first price and precision of the instruments. */
const INSTRUMENTS = [
  [1, 'EURUSD', '1.10000'],
  [2, 'NZDUSD', '0.87000'],
  [3, 'USDTUSD', '1.00000'],
] as const;
const BEGIN = Date.UTC(2026, 0, 5, 12, 4, 43);

/** One clock for the page's timers, which are vitest's fakes, and for the worker. */
class SharedClock extends FakeClock {
  override readonly now = () => toUnixMs(Date.now());
  override get steady() {
    return toUnixMs(Date.now());
  }
  override readonly after = (ms: number, task: () => void) => {
    const timer = setTimeout(task, Math.max(0, ms));
    return () => clearTimeout(timer);
  };
  /** Runs what is due one by one, and lets React and every promise settle after each. */
  override async advance(ms: number): Promise<void> {
    let over = false;
    setTimeout(() => {
      over = true;
    }, ms);
    while (!over) await step(() => vi.advanceTimersToNextTimer());
  }
}

/** Does something as the browser would, and lets everything settle that needs no time. */
async function step(task: () => void): Promise<void> {
  await act(async () => {
    task();
    await new Promise((resolve) => setImmediate(resolve));
  });
}

/** The built app's parts, which each walk loads anew: they hold what the page remembers. */
async function loadPage() {
  const [shell, boundary, history, frames, workerApi, i18n, trading] = await Promise.all([
    import('../../../src/app/Shell'),
    import('../../../src/app/ErrorBoundary'),
    import('../../../src/ui/sheetHistory'),
    import('../../../src/worker/frameReceiver'),
    import('../../../src/worker/workerApi'),
    import('../../../src/preferences/language'),
    import('../../../src/i18n/i18n'),
  ]);
  return { ...shell, ...boundary, ...history, ...frames, ...workerApi, ...i18n, ...trading };
}

/** The page of a walk: React, the real worker, a server that books, and a network between them that fails. */
export class WalkedPage {
  readonly clock = new SharedClock(toUnixMs(BEGIN));
  readonly network: Network;
  readonly server: TestServer;
  readonly worker: TestWorker;
  readonly #random: SeededRandom;
  #root: Root | undefined;
  #ends: (() => void)[] = [];

  constructor(random: SeededRandom) {
    this.#random = random;
    const page = new PageLife(this.clock, random);
    this.network = new Network(this.clock, random, page);
    const rows = INSTRUMENTS.map(([id, code, Close]) =>
      instrumentRow(id, code, {
        ForexQuotations: { Open: '1', Close, Change: '0', Time: BEGIN },
      }),
    );
    const storage = new MemoryStorage();
    storage.values.set('token', 'secret');
    const http = serverOf(rows);
    this.worker = createTestWorker(rows, {
      ...{ clock: this.clock, server: http, sockets: this.network, random: random.next, storage },
      ...{ tabs: new ScriptedTabs(), pull: false },
      ports: { clock: page.clock(), adapter: page.adapter(http.adapter) },
    });
    this.server = new TestServer(this.worker, rows);
    this.#serve();
  }

  #serve(): void {
    const { server: http } = this.worker;
    const { network } = this;
    const testServer = network.onSent;
    network.onSent = (message, socket) => {
      testServer?.(message, socket);
      const simulated = socket as SimulatedSocket;
      if (message.type === 'ping')
        simulated.receive({ type: 'pong', now: this.clock.steady, wall: this.server.wall() });
      if (message.type === 'unsub') simulated.topics.delete(message.topic);
      if (message.type !== 'sub' || simulated.topics.has(message.topic)) return;
      simulated.topics.add(message.topic);
      if (message.topic === 'DAY_MARKET') simulated.receive(ticks(...this.#ticks()));
    };
    const list = () =>
      INSTRUMENTS.map(([id, code]) =>
        instrumentRow(id, code, {
          ForexQuotations: {
            ...{ Open: '1', Close: this.server.prices.get(id) ?? '1', Change: '0' },
            Time: this.clock.steady,
          },
        }),
      );
    http.on('/v1/api/forex/trade_list', () => ({ data: list() }));
    http.on('/v1/api/forex/kline', () => ({
      data: [klineRow({ time: BEGIN / 1000 - 103, open: 1, high: 1, low: 1, close: 1, volume: 1 } as never)],
    }));
    for (const [path, route] of http.routes) http.on(path, (asked) => network.carry(asked, route));
  }

  #ticks() {
    return INSTRUMENTS.map(([id, code]) =>
      tickRow(id, code, this.server.prices.get(id) ?? '1', { Time: this.clock.steady }),
    );
  }

  /** A new price of an instrument, which reaches whoever has subscribed it. */
  tick(id: number, price: string): void {
    this.server.prices.set(id, price);
    const [, code] = INSTRUMENTS[id - 1] ?? INSTRUMENTS[0];
    const socket = this.network.all.at(-1) as SimulatedSocket | undefined;
    const row = tickRow(id, code, price, { Time: this.clock.steady });
    if (socket?.topics.has('DAY_MARKET')) socket.receive(ticks(row));
  }

  /** Opens the app at an address, as `src/main.tsx` does. */
  async open(address: string): Promise<void> {
    const { Shell, ErrorBoundary, createSheetHistory, ...page } = await loadPage();
    location.hash = address;
    document.body.innerHTML = '<div id="root"></div>';
    const { workerApi } = this.worker;
    page.setWorkerApi(
      new Proxy({} as typeof page.workerApi, {
        get: (_, method: keyof typeof workerApi) =>
          async (...args: unknown[]) => {
            const call = workerApi[method] as (...args: unknown[]) => unknown;
            const answer = await call(...structuredClone(args));
            return structuredClone(answer);
          },
      }),
    );
    const [toPage, toWorker] = framePorts();
    page.receiveFrames(toWorker);
    workerApi.sendFrames(toPage);
    workerApi.start({ ...START, visible: true });
    for (const type of ['online', 'offline']) {
      const tell = () => void workerApi.setOnline(type === 'online');
      addEventListener(type, tell);
      this.#ends.push(() => removeEventListener(type, tell));
    }
    await page.applyLanguage('en');
    this.#root = createRoot(document.getElementById('root') as HTMLElement, {
      onCaughtError: (error) => console.error(error),
    });
    await step(() =>
      this.#root?.render(
        <ErrorBoundary resetKey="app">
          <HistoryRouter history={createSheetHistory()}>
            <Shell />
          </HistoryRouter>
        </ErrorBoundary>,
      ),
    );
    await this.pass(2_000);
  }

  /** Lets time pass, and code load. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await act(() => vi.dynamicImportSettled());
  }

  step = step;

  async end(): Promise<void> {
    await step(() => this.#root?.unmount());
    for (const end of this.#ends) end();
  }
}

/** The two ends of a channel that copies what it carries. */
function framePorts(): [FramePort<Frame, number>, FramePort<number, Frame>] {
  const toPage: FramePort<Frame, number> = { onmessage: null, postMessage: () => {} };
  const toWorker: FramePort<number, Frame> = { onmessage: null, postMessage: () => {} };
  toPage.postMessage = (frame) => {
    const data = structuredClone(frame);
    queueMicrotask(() => toWorker.onmessage?.({ data }));
  };
  toWorker.postMessage = (data) => queueMicrotask(() => toPage.onmessage?.({ data }));
  return [toPage, toWorker];
}
