import type { InstrumentRow } from '#domain/api/market';
import type { Candles } from '#domain/market/candles';
import type { UnansweredRequest } from '#domain/worker/requests';
import type { OrderProfit } from '#domain/worker/trading';
import {
  type Frame,
  type FramePort,
  QUOTE,
  QUOTE_MARKET_OPEN,
  QUOTE_STALE,
  QUOTE_STRIDE,
  type Start,
  type WorkerApi,
  type WorkerEvent,
} from '#domain/worker/workerApi';
import { importAll } from '../../../workers/core/importOnce';
import type { Ports, Storage, StorageListener } from '../../../workers/core/ports';
import { createWorkerApi } from '../../../workers/workerApi';
import { FakeClock } from './fakeClock';
import { ScriptedHttp } from './scriptedHttp';
import { ScriptedSockets } from './scriptedSocket';
import { ScriptedTabs } from './scriptedTabs';

export function instrumentRow(id: number, code: string, more: Partial<InstrumentRow> = {}) {
  return {
    Id: id,
    Code: code,
    ShowCode: code,
    Logo: '',
    CategoryId: 1,
    MarketStatus: 1,
    PricePrecision: 5,
    Pip: '0.01',
    ForexMinCont: '0.01',
    ForexContNum: '100000',
    MarginMode: 2,
    HasForexMultiple: [{ Value: '100' }],
    ForexFeeRate: '5',
    ForexQuotations: { Open: '1', Close: '1.1', Change: '10', Time: 0 },
    NextOpen: '',
    ...more,
  };
}

// What the worker loads later is loaded here, because a fake clock does not wait for it.
await importAll();

/** What a visible page on localhost says when it starts the worker. */
export const START: Start = {
  language: 'en',
  page: { origin: 'http://localhost:3000', title: 'Fulcrum', fallbackHost: '', domains: [] },
  version: '1',
  visible: true,
  online: true,
  dataSaver: false,
};

export class MemoryStorage implements Storage {
  readonly values = new Map<string, unknown>();
  get = async (key: string) => structuredClone(this.values.get(key));
  set = async (key: string, value: unknown) => {
    this.values.set(key, structuredClone(value));
  };
  remove = async (key: string) => {
    this.values.delete(key);
  };
  superseded = (_key: string) => {};
  all = async (prefix: string) =>
    [...this.values]
      .filter(([key]) => key.startsWith(prefix))
      .map(([, value]) => structuredClone(value));
  listener: StorageListener | undefined;
  listen(listener: StorageListener) {
    this.listener = listener;
  }
  setVisible() {}
}

export interface ShownQuote {
  close: number;
  open: number;
  change: number;
  time: number;
  arrived: number;
  marketOpen: boolean;
  stale: boolean;
}

/** What a page would show: frames applied as they come. */
export class Shown {
  frames: Frame[] = [];
  connection: Frame['connection'];
  listRevision = 0;
  readonly quotes = new Map<number, ShownQuote>();
  readonly candles: Candles[] = [];
  readonly events: WorkerEvent[] = [];
  user: Frame['user'];
  account: Frame['account'];
  ticket: Frame['ticket'];
  change: Frame['change'];
  ordersRevision = 0;
  unanswered: UnansweredRequest[] = [];
  unsaved = false;
  /** The latest profit of each watched order. */
  readonly profits = new Map<number, OrderProfit>();

  apply(frame: Frame): void {
    this.frames.push(frame);
    this.connection = frame.connection ?? this.connection;
    this.listRevision = frame.listRevision ?? this.listRevision;
    this.events.push(...(frame.events ?? []));
    this.candles.push(...(frame.candles ?? []));
    if (frame.user !== undefined) this.user = frame.user;
    if (frame.account !== undefined) this.account = frame.account;
    this.ticket = frame.ticket ?? this.ticket;
    this.change = frame.change ?? this.change;
    this.ordersRevision = frame.ordersRevision ?? this.ordersRevision;
    this.unanswered = frame.unanswered ?? this.unanswered;
    this.unsaved = frame.unsaved ?? this.unsaved;
    for (const profit of frame.profits ?? []) this.profits.set(profit.id, profit);
    const numbers = frame.quotes ?? new Float64Array();
    for (let at = 0; at < numbers.length; at += QUOTE_STRIDE) {
      const number = (offset: number) => numbers[at + offset] ?? Number.NaN;
      const flags = number(QUOTE.flags);
      this.quotes.set(number(QUOTE.id), {
        close: number(QUOTE.close),
        open: number(QUOTE.open),
        change: number(QUOTE.change),
        time: number(QUOTE.time),
        arrived: number(QUOTE.arrived),
        marketOpen: (flags & QUOTE_MARKET_OPEN) !== 0,
        stale: (flags & QUOTE_STALE) !== 0,
      });
    }
  }
}

export interface TestWorker {
  clock: FakeClock;
  sockets: ScriptedSockets;
  server: ScriptedHttp;
  storage: MemoryStorage;
  workerApi: WorkerApi;
  shown: Shown;
  logged: string[];
  warned: string[];
  start(options?: Partial<Start>): void;
}

export interface TestWorkerOptions {
  random?: () => number;
  stopwatch?: () => number;
  storage?: MemoryStorage;
  /** The tabs of the same browser. */
  tabs?: ScriptedTabs;
  clock?: FakeClock;
  sockets?: ScriptedSockets;
  /** One that has its routes already. */
  server?: ScriptedHttp;
  /** What a simulation puts in the place of the scripted ports. */
  ports?: Partial<Ports>;
  /** Whether frames are applied to `shown`; default true. */
  pull?: boolean;
}

/** A port to a page that applies each frame immediately. */
export function paintingPort(paint: (frame: Frame) => void): FramePort<Frame, number> {
  const port: FramePort<Frame, number> = {
    onmessage: null,
    postMessage(frame) {
      paint(frame);
      queueMicrotask(() => port.onmessage?.({ data: 1 }));
    },
  };
  return port;
}

/** What every worker asks for at its start. */
export function serverOf(instruments: unknown[]): ScriptedHttp {
  return new ScriptedHttp()
    .on('/v1/api/forex/trade_list', () => ({ data: instruments }))
    .on('/api/company/getCompanyStatus', () => ({ data: { status: 0, type: 0, loss_url: '' } }))
    .on('/api/basicSet/getBasicInfo', () => ({ data: { features: ['deadlines'] } }));
}

/** The whole worker with scripted ports. */
export function createTestWorker(
  instruments: unknown[],
  options: TestWorkerOptions = {},
): TestWorker {
  const clock = options.clock ?? new FakeClock();
  const sockets = options.sockets ?? new ScriptedSockets();
  const server = options.server ?? serverOf(instruments);
  const storage = options.storage ?? new MemoryStorage();
  const logged: string[] = [];
  const warned: string[] = [];
  sockets.wall ??= () => clock.steady;
  const workerApi = createWorkerApi({
    clock,
    random: options.random ?? (() => 0.5),
    openSocket: sockets.open,
    storage,
    logger: {
      log: (message, detail) => logged.push(`${message} ${detail}`),
      warn: (message, detail) => warned.push(`${message} ${detail}`),
    },
    adapter: server.adapter,
    ...(options.tabs ?? new ScriptedTabs()).open(),
    stopwatch: options.stopwatch ?? (() => clock.steady),
    ...options.ports,
  });
  const shown = new Shown();
  workerApi.watch({ account: true });
  if (options.pull !== false) workerApi.sendFrames(paintingPort((frame) => shown.apply(frame)));
  return {
    clock,
    sockets,
    server,
    storage,
    workerApi,
    shown,
    logged,
    warned,
    start: (more) => workerApi.start({ ...START, ...more }),
  };
}
