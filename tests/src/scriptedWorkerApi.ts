import type { AccountSettings } from '#domain/account/settings';
import type { CallName } from '#domain/api/subjects';
import { decimal, ZERO } from '#domain/core/decimal';
import { type Result, success } from '#domain/core/result';
import { type Lots, toUnitsPerLot } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { ListQuery, ListRow } from '#domain/market/list';
import type { Order } from '#domain/trading/order';
import type { Frame, FramePort, Watch } from '#domain/worker/workerApi';
import { steadyTime } from '../../src/worker/age';
import { apply, receiveFrames } from '../../src/worker/frameReceiver';
import { ordersRevision } from '../../src/worker/trading';
import { type AsyncWorkerApi, setWorkerApi } from '../../src/worker/workerApi';

const lots = (units: bigint) => decimal(units, 2) as Lots;

/** An instrument with the fields that a test cares about. */
function instrument(id: number, over: Partial<Instrument> = {}): Instrument {
  return {
    id,
    code: `CODE${id}`,
    name: `Name ${id}`,
    logo: '',
    categoryId: 1,
    precision: 5,
    lotStep: lots(1n),
    minLots: lots(1n),
    unitsPerLot: toUnitsPerLot(100_000),
    marginMode: 'leveraged',
    leverages: [],
    feeRate: ZERO,
    ...over,
  };
}

export function listRow(id: number, over: Partial<ListRow> = {}): ListRow {
  return {
    instrument: instrument(id),
    quote: { close: 1.1, open: 1, change: 10, time: undefined, marketOpen: true },
    arrived: steadyTime(),
    stale: false,
    nextOpen: undefined,
    ...over,
  };
}

/** The operator's settings, of a server that has some optional parts of the protocol. */
export function settingsWith(features: readonly string[]): AccountSettings {
  return {
    ...{
      byCaptcha: false,
      mobile: false,
      chat: undefined,
      drawVerify: false,
      judgedAtQuote: false,
    },
    features,
  };
}

/** The seven numbers of a quote in a frame. */
export function quoteNumbers(
  id: number,
  close: number,
  { change = 0, flags = 1, time = Number.NaN, arrived = steadyTime() } = {},
): number[] {
  return [id, close, 1, change, time, arrived, flags];
}

/**
 * A fake worker that answers as the test says and records its calls. It does not have the calls that nobody has
 * scripted, unless it is `silent`: then it never answers them.
 */
export function scriptWorkerApi(rows: ListRow[] = [], { silent = false } = {}) {
  const never = () => new Promise<never>(() => {});
  const calls: { method: string; args: unknown[] }[] = [];
  const watches: Watch[] = [];
  const topsOfBook: { add: number[]; remove: number[] }[] = [];
  const answers: Partial<Record<CallName, (params: object) => Promise<Result<unknown>>>> = {};
  const scripted: Partial<AsyncWorkerApi> = {
    api: (name, params) => answers[name]?.(params) ?? never(),
    async rows(query: ListQuery, from: number, to: number) {
      const found = rows.filter(
        ({ instrument: { id, name, categoryId }, quote }) =>
          (!query.only || query.only.includes(id)) &&
          name.toLowerCase().includes((query.search ?? '').toLowerCase()) &&
          (!query.open || quote.marketOpen) &&
          (query.categoryId === undefined || query.categoryId === categoryId),
      );
      return {
        revision: 1,
        total: found.length,
        from,
        rows: found.slice(from, to),
        loading: false,
      };
    },
    rowIndex: async (_query, code) => {
      const index = rows.findIndex(({ instrument }) => instrument.code === code);
      return index < 0 ? undefined : index;
    },
    row: async (code) => rows.find((row) => row.instrument.code === code) ?? rows[0],
    orders: async () =>
      success({ total: 0, from: 0, orders: [], profit: '0', loading: false, failure: undefined }),
    ordersOf: async () => [],
    categories: async () => success([{ id: 1, name: 'Forex' }]),
    sparklines: async () => success({}),
    refreshList: async () => success(undefined),
    refreshOrders: async () => success(undefined),
    retryNow: async () => undefined,
    setLanguage: async () => undefined,
    setDataSaver: async () => undefined,
    setFrameInterval: async () => undefined,
    setTitleInstrument: async () => undefined,
    setOrderTime: async () => undefined,
    async watchTopsOfBook(change) {
      topsOfBook.push(change);
    },
    watchColumnValues: async () => undefined,
    leaveGrid: async () => undefined,
    watch: async (change) => {
      watches.push(change);
    },
  };
  const workerApi = new Proxy(scripted, {
    get(target, method: keyof AsyncWorkerApi) {
      const answer = target[method] ?? (silent ? never : undefined);
      if (!answer) return undefined;
      return (...args: unknown[]) => {
        calls.push({ method, args });
        return (answer as (...args: unknown[]) => unknown)(...args);
      };
    },
  }) as AsyncWorkerApi;
  setWorkerApi(workerApi);
  const port: FramePort<number, Frame> = { postMessage: () => {}, onmessage: null };
  receiveFrames(port);
  apply({ connection: { state: 'live', marketOffset: undefined } });
  return {
    calls,
    watches,
    topsOfBook,
    scripted,
    /** What declared calls answer; never, where nothing is given. */
    answers,
    /** How often a method was called. */
    count: (method: keyof AsyncWorkerApi) => calls.filter((call) => call.method === method).length,
    /** What the user has open from now on, however the worker learned it: only a push comes as an event besides. */
    hasOpen(...orders: Order[]) {
      scripted.ordersOf = async (id) => orders.filter(({ instrumentId }) => instrumentId === id);
      apply({ ordersRevision: ordersRevision.peek() + 1 });
    },
    /** Applies a frame as if the worker had sent it. */
    frame: (frame: Frame) => port.onmessage?.({ data: frame }),
    quotes: (...quotes: number[][]) => apply({ quotes: Float64Array.from(quotes.flat()) }),
  };
}
