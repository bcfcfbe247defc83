import { fireEvent } from '@testing-library/react';
import * as React from 'react';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { unstable_HistoryRouter as HistoryRouter } from 'react-router-dom';
import { vi } from 'vitest';
import type { KlineRow } from '#domain/api/market';
import type { Language } from '#domain/core/language';
import { toUnixMs, toUnixSeconds } from '#domain/core/time';
import { toLots } from '#domain/core/units';
import { PERIOD_SECONDS, type Period } from '#domain/market/period';
import type { Frame, FramePort } from '#domain/worker/workerApi';
import type { createSheetHistory } from '../../../src/ui/sheetHistory';
import type { AsyncWorkerApi } from '../../../src/worker/workerApi';
import { Network, type SimulatedSocket } from '../../workers/simulation/network';
import { PageLife } from '../../workers/simulation/pageLife';
import type { SeededRandom } from '../../workers/simulation/seededRandom';
import { FakeClock } from '../../workers/support/fakeClock';
import { klineRow } from '../../workers/support/klineRow';
import { ScriptedTabs } from '../../workers/support/scriptedTabs';
import { TestServer } from '../../workers/support/testServer';
import {
  createTestWorker,
  instrumentRow,
  MemoryStorage,
  START,
  serverOf,
  type TestWorker,
} from '../../workers/support/testWorker';
import { tickRow, ticks } from '../../workers/support/ticks';

/** Code, first price and precision of the instruments. */
const INSTRUMENTS = [
  [1, 'EURUSD', '1.10000'],
  [2, 'NZDUSD', '0.87000'],
  [3, 'USDTUSD', '1.00000'],
] as const;
const BEGIN = Date.UTC(2026, 0, 5, 12, 4, 43);

/** The last bars of a period before a time, s: enough to practise the days before. */
function klines(period: Period, before: number): KlineRow[] {
  const step = PERIOD_SECONDS[period];
  const last = Math.ceil(before / step) - 1;
  return Array.from({ length: 500 }, (_, index) => {
    const at = last - 499 + index;
    const open = 1.1 + (at % 50) / 10_000;
    const [high, low, close] = [open + 0.0003, open - 0.0002, open + 0.0001];
    return klineRow({ time: toUnixSeconds(at * step), open, high, low, close, volume: 12 });
  });
}

/** A call of the worker by the page. */
export interface PageCall {
  method: string;
  args: unknown[];
  /** What is wrong with it. */
  problem?: string;
}

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

/**
 * React's build for development records a stack for each element, which would take a third of a walk. It stops after some
 * thousands, and this is how it counts them.
 */
function recordNoStacks(): void {
  const internals: unknown = Reflect.get(
    React,
    '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
  );
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => Number.POSITIVE_INFINITY,
    set: () => {},
  });
}
recordNoStacks();

/** All of the page that loads by itself what it needs; by then it is there. */
const FILES = import.meta.glob([
  '/src/**/*.{ts,tsx}',
  '!/src/{features/trading/chart/candleChart,main,boot,vite-env.d,worker/{worker,connect,startedWorker,speedTestWorker}}.{ts,tsx}',
]);

/** The built app's parts, which each walk loads anew: they hold what the page remembers. */
async function loadPage() {
  await Promise.all(Object.values(FILES).map((load) => load()));
  const [shell, boundary, history, frames, workerApi, language, theme, preferences, i18n] =
    await Promise.all([
      import('../../../src/app/Shell'),
      import('../../../src/app/ErrorBoundary'),
      import('../../../src/ui/sheetHistory'),
      import('../../../src/worker/frameReceiver'),
      import('../../../src/worker/workerApi'),
      import('../../../src/preferences/language'),
      import('../../../src/preferences/theme'),
      import('../../../src/preferences/preferences'),
      import('../../../src/i18n/i18n'),
    ]);
  return {
    ...{ ...shell, ...boundary, ...history, ...frames, ...workerApi },
    ...{ ...language, ...theme, ...preferences, ...i18n },
  };
}

/** The page of a walk: React, the real worker, a server that books, and a network between them that fails. */
export class WalkedPage {
  static readonly BEGIN = BEGIN;
  readonly clock = new SharedClock(toUnixMs(BEGIN));
  readonly network: Network;
  readonly server: TestServer;
  readonly worker: TestWorker;
  /** What the page has called of its worker. */
  readonly calls: PageCall[] = [];
  onCall: (call: PageCall) => void = () => {};
  /** What came on the console, and what was thrown. */
  readonly errors: string[] = [];
  readonly subscriptions: () => Record<string, number>;
  /** How far the page has gone since it was opened: so often Back stays in the app. */
  depth = 0;
  #page: Awaited<ReturnType<typeof loadPage>> | undefined;
  #root: Root | undefined;
  #history: ReturnType<typeof createSheetHistory> | undefined;
  #ends: (() => void)[] = [];

  constructor(random: SeededRandom, subscriptions: () => Record<string, number>) {
    this.subscriptions = subscriptions;
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
    const { server } = this;
    for (const [id] of INSTRUMENTS)
      for (const status of ['0', '1', '1'])
        server.open({
          ...{ forex_id: `${id}`, status, cont: `0.${id}`, type: `${1 + (id % 2)}` },
          target_price: id === 2 ? '0.8' : '0.9',
        });
    server.end(2, 'user');
    server.end(4, 'cancelled');
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
    const user = { id: 7, uid: '7', is_demo: 1 };
    http.on('/api/user/createAccountDemoForU', () => ({ data: { token: 'secret', user } }));
    http.on('/v1/api/forex/kline', ({ params }) => ({
      data: klines(String(params['period']) as Period, Number(params['before'] || BEGIN / 1000)),
    }));
    for (const [path, route] of http.routes) http.on(path, (asked) => network.carry(asked, route));
  }

  #ticks() {
    return INSTRUMENTS.map(([id, code]) =>
      tickRow(id, code, this.server.prices.get(id) ?? '1', { Time: this.clock.steady }),
    );
  }

  /** The price of an instrument moves by so many pips, and reaches whoever has subscribed it. */
  tick(id: number, by: number): void {
    const price = (Number(this.server.prices.get(id)) + by / 1e4).toFixed(5);
    this.server.prices.set(id, price);
    const [, code] = INSTRUMENTS[id - 1] ?? INSTRUMENTS[0];
    const socket = this.network.all.at(-1) as SimulatedSocket | undefined;
    const row = tickRow(id, code, price, { Time: this.clock.steady });
    if (socket?.topics.has('DAY_MARKET')) socket.receive(ticks(row));
  }

  /** Codes and prices of now. */
  prices(): [string, string][] {
    return INSTRUMENTS.map(([id, code]) => [code, this.server.prices.get(id) ?? '']);
  }

  /** Something happens to an order that the user has no part in. */
  broker(what: 'fill' | 'close' | 'night' | 'exits' | 'part', nth: number): void {
    const { server } = this;
    const orders = server.of(what === 'fill' ? 0 : 1);
    const order = orders[nth % orders.length];
    if (!order) return;
    if (what === 'fill') server.fill(order.Id);
    if (what === 'close') server.end(order.Id, 'stop_out');
    if (what === 'night') server.night(order.Id, '-1.23');
    if (what === 'exits') server.stops(order.Id, '0.50000', '0');
    if (what === 'part') server.part(order.Id, toLots('0.01'));
  }

  /** Opens the app at an address, as `src/main.tsx` does. */
  async open(address: string): Promise<void> {
    localStorage.clear();
    sessionStorage.clear();
    document.body.innerHTML = '<div id="root"></div>';
    this.#listen();
    history.pushState(null, '', address);
    this.#followHistory();
    const page = await loadPage();
    this.#page = page;
    const { Shell, ErrorBoundary, createSheetHistory } = page;
    const router = createSheetHistory();
    this.#history = router;
    const { workerApi } = this.worker;
    page.setWorkerApi(this.#proxy());
    const [toPage, toWorker] = framePorts();
    page.receiveFrames(toWorker);
    workerApi.sendFrames(toPage);
    workerApi.start({ ...START, visible: true });
    await page.applyLanguage('en');
    page.applyTheme();
    this.#root = createRoot(document.getElementById('root') as HTMLElement, {
      onCaughtError: (error) => this.errors.push(String(error)),
    });
    await step(() =>
      this.#root?.render(
        <ErrorBoundary resetKey="app">
          <HistoryRouter history={router}>
            <Shell />
          </HistoryRouter>
        </ErrorBoundary>,
      ),
    );
    await this.pass(2_000);
  }

  /** The worker as the page has it: in another thread. */
  #proxy(): AsyncWorkerApi {
    const { workerApi } = this.worker;
    const get = (_: object, method: keyof typeof workerApi) => {
      if (!(method in workerApi)) return undefined;
      return async (...given: unknown[]) => {
        const args = structuredClone(given);
        const call = { method, args };
        this.calls.push(call);
        this.onCall(call);
        const run = workerApi[method] as (...args: unknown[]) => unknown;
        return structuredClone(await run(...args));
      };
    };
    return new Proxy({}, { get }) as AsyncWorkerApi;
  }

  /** Notes what goes wrong without a word to the user. */
  #listen(): void {
    const note = (...words: unknown[]) => this.errors.push(words.map(String).join(' '));
    for (const method of ['error', 'warn'] as const) {
      const spy = vi.spyOn(console, method).mockImplementation(note);
      this.#ends.push(() => spy.mockRestore());
    }
    // What leads out of the page is noted only.
    const leave = (method: string) => void this.calls.push({ method, args: [] });
    const { click } = HTMLElement.prototype;
    const spies = [
      vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
        this: HTMLElement,
      ) {
        if (this.hasAttribute('download')) leave('download');
        else click.call(this);
      }),
      vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function (
        this: HTMLElement,
      ) {
        if (this.matches('[type="file"]')) leave('choose a file');
        else click.call(this);
      }),
      ...(['reload', 'assign'] as const).map((method) =>
        vi.spyOn(location, method).mockImplementation(() => leave(method)),
      ),
    ];
    this.#ends.push(() => spies.map((spy) => spy.mockRestore()));
    const onError = (event: Event) => note((event as ErrorEvent).error ?? event.type);
    addEventListener('error', onError);
    this.#ends.push(() => removeEventListener('error', onError));
  }

  /** Back comes later, as in browsers, and is counted. */
  #followHistory(): void {
    const { pushState, go } = History.prototype;
    history.pushState = (...entry) => {
      this.depth += 1;
      this.#last = this.depth;
      pushState.apply(history, entry);
    };
    history.go = (delta = 0) => {
      setTimeout(() => {
        if (this.depth + delta > this.#last) return;
        this.depth += delta;
        go.call(history, delta);
      });
    };
    history.back = () => history.go(-1);
    this.#ends.push(() => {
      for (const method of ['pushState', 'go', 'back']) Reflect.deleteProperty(history, method);
    });
  }
  #last = 0;

  /** Follows a link to an address. */
  async go(address: string): Promise<void> {
    await step(() => this.#history?.push(address.slice(1)));
    await this.pass(500);
  }

  key(key: string): void {
    fireEvent.keyDown(document.activeElement ?? document.body, { key });
    fireEvent.keyUp(document.activeElement ?? document.body, { key });
  }

  async setLanguage(language: Language): Promise<void> {
    await act(async () => this.#page?.showLanguage(language));
    document.documentElement.lang = language;
    await this.pass(100);
  }

  async setTheme(theme: 'light' | 'dark'): Promise<void> {
    const page = this.#page;
    await step(() => {
      if (page) page.theme.value = theme;
    });
  }

  /** A practice session trades on the device. */
  get isPractice(): boolean {
    return location.hash.startsWith('#/practice');
  }

  /** Ends all faults of the network; returns whether there were some since the last time. */
  heal(): boolean {
    const { happened, active } = this.network;
    const some = happened.size + active.size > 0;
    for (const fault of active) this.network.end(fault);
    happened.clear();
    return some;
  }

  /** Opens the demo account again, as who has logged out does. */
  async signIn(): Promise<void> {
    void this.worker.workerApi.signInDemo();
    await this.pass(3_000);
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
