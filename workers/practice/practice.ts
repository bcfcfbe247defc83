import { toFixed, toNumber, toText, ZERO } from '#domain/core/decimal';
import { readUsd } from '#domain/core/readAmounts';
import { failed, type Result, success } from '#domain/core/result';
import { toDurationMs } from '#domain/core/time';
import { toPrice } from '#domain/core/units';
import type { IndicatorSpec } from '#domain/indicators/catalogue';
import type { Candles } from '#domain/market/candles';
import { changeNumber } from '#domain/market/change';
import type { Instrument } from '#domain/market/instrument';
import type { Bar } from '#domain/market/kline';
import { type PracticeCommand, PracticeSession, practiceId } from '#domain/practice/session';
import {
  type PracticeDay,
  packBars,
  readDay,
  readLog,
  storedDay,
  storedLog,
} from '#domain/practice/stored';
import type { AccountTotals } from '#domain/trading/accountSummary';
import { type AmendmentInput, amendedTicket } from '#domain/trading/amendment';
import type { Order } from '#domain/trading/order';
import type { OrderState } from '#domain/trading/orderState';
import { PROFIT_SCALE } from '#domain/trading/profit';
import { accountAfterClose } from '#domain/trading/reversal';
import { heldUnits, stopOutPrice } from '#domain/trading/stopOut';
import type { TicketInput } from '#domain/trading/ticketInput';
import type {
  PracticeRequest,
  PracticeSpeed,
  PracticeState,
  PracticeWorkerApi,
} from '#domain/worker/practice';
import type { AccountSummary, OrderProfit, TicketPreview } from '#domain/worker/trading';
import { type Frame, QUOTE, QUOTE_MARKET_OPEN, QUOTE_STRIDE } from '#domain/worker/workerApi';
import { importOnce } from '../core/importOnce';
import { type Clock, type Storage, UNREAD } from '../core/ports';
import type { Frames } from '../frames/frames';
import type { Http } from '../http/client';
import type { ChartIndicators } from '../market/chartIndicators';
import type { Instruments } from '../market/instruments';
import { summaryOf } from '../pricing/accountSummary';
import { previewOf } from '../pricing/preview';
import { loadDay } from './loadDay';
import { takeTurn } from './turn';

/** Keys of the storage: what a session is played with, and what has happened in it, which is written often. */
const DAY_KEY = 'practice day';
const LOG_KEY = 'practice log';
/** A quarter of a bar takes so long at speed 1, ms. */
const QUARTER_MS = 15_000;
/** While it is played, the log is written at most so often, ms: a closed app loses no more. */
const SAVE_EVERY_MS = toDurationMs(1000);

/** The code that other charts have theirs computed by. */
const indicatorCode = importOnce(() => import('../market/chartIndicators'));

interface PracticeOptions {
  clock: Clock;
  http: Http;
  storage: Storage;
  frames: Frames;
  instruments: Pick<Instruments, 'list' | 'quotes'>;
}

interface Current {
  /** When it was begun, ms: names it in the storage. */
  id: number;
  day: PracticeDay;
  session: PracticeSession;
}

/** Practice sessions, one at a time on a device, in one tab at a time (domain.md#practice). */
export function createPractice(
  options: PracticeOptions,
  locks = globalThis.navigator?.locks as LockManager | undefined,
): PracticeWorkerApi {
  const { clock, storage, frames } = options;
  let current: Current | undefined;
  let reading: Promise<void> | undefined;
  let speed: PracticeSpeed | undefined;
  let ticket: TicketInput | undefined;
  /** The amendment that is previewed. */
  let change: { id: number; terms: AmendmentInput } | undefined;
  /** Of the chart; undefined: it has none, or their code is not loaded. */
  let indicators: ChartIndicators | undefined;
  let specs: readonly IndicatorSpec[] = [];
  /** Gives the turn back; undefined: this tab does not play. */
  let release: (() => void) | undefined;
  let taking: Promise<void> | undefined;
  /** Until the turn is given back all is being stored. */
  let leaving: Promise<void> | undefined;
  /** Another tab plays. */
  let elsewhere = false;
  let cancelTick = () => {};
  let cancelSave: (() => void) | undefined;
  /** Counts the days that are loaded: of two, the later one is shown. */
  let starts = 0;
  /** What the next frame brings. */
  let changed = false;
  /** Bars that the page has, from the first of the day on; undefined: it needs all. */
  let sentBars: number | undefined;

  frames.add((frame) => {
    if (!changed) return;
    changed = false;
    frame.practice = elsewhere ? 'elsewhere' : current ? stateOf(current, speed) : null;
    if (!current) return;
    frame.profits = [...(frame.profits ?? []), ...profitsOf(current.session)];
    addMarket(frame, current.session);
    frame.candles = [...(frame.candles ?? []), candlesOf(current)];
    if (ticket) frame.ticket = preview(current.session, ticket);
    const order = change && find(current.session, change.id);
    if (change && order) frame.change = previewAmended(current.session, order, change.terms);
  });

  function touch(): void {
    changed = true;
    frames.touch();
  }

  function addMarket(frame: Frame, session: PracticeSession): void {
    const { tick } = session;
    if (!tick) return;
    const { id } = session.setup.instrument;
    const open = session.setup.bars[0]?.open ?? tick.price;
    const former = frame.quotes ?? new Float64Array();
    const quotes = new Float64Array(former.length + QUOTE_STRIDE);
    quotes.set(former);
    const at = former.length;
    quotes[at + QUOTE.id] = id;
    quotes[at + QUOTE.close] = tick.price;
    quotes[at + QUOTE.open] = open;
    quotes[at + QUOTE.change] = changeNumber(tick.price, open);
    // Its time is long past; its age is that of its arrival.
    quotes[at + QUOTE.time] = Number.NaN;
    quotes[at + QUOTE.arrived] = clock.now();
    quotes[at + QUOTE.flags] = session.isOver ? 0 : QUOTE_MARKET_OPEN;
    frame.quotes = quotes;
    const { bid = 0, ask = 0 } = tick;
    frame.topsOfBook = [...(frame.topsOfBook ?? []), { id, bid, ask }];
  }

  function candlesOf({ day, session }: Current): Candles {
    const now = session.bar ? [session.bar] : [];
    const whole = Math.max(0, session.bars - 1);
    const change = sentBars === undefined ? 'replace' : 'update';
    const bars: Bar[] =
      sentBars === undefined
        ? [...day.earlier, ...day.bars.slice(0, whole), ...now]
        : [...day.bars.slice(Math.max(0, sentBars - 1), whole), ...now];
    sentBars = session.bars;
    const { instrument, period } = day;
    const key = { instrumentId: instrument.id, period };
    const candles: Candles = { ...key, change, bars: packBars(bars), more: false };
    // They see what was played, and no bar that is to come.
    if (change === 'replace') indicators?.replace(candles, candles.bars, false);
    else indicators?.update(candles);
    return candles;
  }

  async function save(): Promise<void> {
    cancelSave?.();
    cancelSave = undefined;
    if (current) await storage.set(LOG_KEY, storedLog(current.id, current.session.log));
  }

  function moved(): void {
    if (current?.session.isOver) pause();
    touch();
    cancelSave ??= clock.after(SAVE_EVERY_MS, () => void save());
  }

  function pause(): void {
    cancelTick();
    speed = undefined;
    touch();
    if (cancelSave) void save();
  }

  function play(next: PracticeSpeed): void {
    cancelTick();
    speed = next;
    const tick = () => {
      cancelTick = clock.after(toDurationMs(QUARTER_MS / next), () => {
        current?.session.play();
        moved();
        if (speed !== undefined) tick();
      });
    };
    tick();
    touch();
  }

  /** The session that this device has, once. */
  async function read(): Promise<void> {
    const before = starts;
    const [stored, log] = await Promise.all([storage.get(DAY_KEY), storage.get(LOG_KEY)]);
    if (stored === UNREAD || log === UNREAD) {
      // The database may answer when it is asked again.
      reading = undefined;
      return;
    }
    if (before !== starts || !release) return;
    const found = readDay(stored);
    if (!found) return;
    const { id, day } = found;
    const happened = readLog(log, id);
    const resumed = happened && PracticeSession.resumed(day, happened);
    current = { id, day, session: resumed ?? begun(day) };
  }

  async function start(request: Extract<PracticeRequest, { do: 'start' }>): Promise<Result<void>> {
    const { instrumentId, day, days, balance } = request;
    const { list, quotes } = options.instruments;
    const instrument = list.instrument(instrumentId);
    if (!instrument || !readUsd(balance))
      return failed({ kind: 'invalid', message: { key: 'noPrice' } });
    const mine = ++starts;
    const topOfBook = quotes.topsOfBook.get(instrumentId);
    const loaded = await loadDay(options.http, { instrument, topOfBook, day, days, balance });
    if (mine !== starts) return failed({ kind: 'cancelled' });
    if (!loaded.ok) return loaded;
    pause();
    ticket = change = undefined;
    indicators = undefined;
    current = { id: clock.now(), day: loaded.data, session: begun(loaded.data) };
    void storage.set(DAY_KEY, storedDay(current.id, loaded.data));
    void save();
    void compute();
    showAll();
    return success(undefined);
  }

  function showAll(): void {
    sentBars = undefined;
    touch();
  }

  function forget(): void {
    pause();
    cancelSave?.();
    cancelSave = undefined;
    starts++;
    current = ticket = change = undefined;
    void storage.remove(DAY_KEY);
    void storage.remove(LOG_KEY);
    touch();
  }

  function act(session: PracticeSession, command: PracticeCommand): Result<void> {
    const { problem } = session.act(
      'id' in command ? { ...command, id: practiceId(command.id) } : command,
    );
    if (problem) return failed({ kind: 'invalid', message: problem });
    if (session.isOver) pause();
    touch();
    void save();
    return success(undefined);
  }

  /** Computes the chart's indicators from now on. */
  async function compute(): Promise<void> {
    indicators = undefined;
    const wanted = specs;
    const period = current?.day.period;
    if (!period || wanted.length === 0) return;
    // Where loading fails, the next call tries again.
    const code = await indicatorCode().catch(() => undefined);
    if (!code || specs !== wanted || current?.day.period !== period) return;
    indicators = new code.ChartIndicators(period, wanted);
    showAll();
  }

  /** Has the turn of playing, where that is possible. */
  async function take(insist: boolean): Promise<void> {
    await leaving;
    if (release) return;
    const left = await takeTurn(locks, clock, insist, {
      asked: () => void leave(true),
      lost: () => drop(true),
    });
    elsewhere = !left;
    release = left;
  }

  /** Nothing is played or stored here any more. */
  function drop(known: boolean): void {
    const save = cancelSave;
    cancelSave = undefined;
    save?.();
    pause();
    starts++;
    current = ticket = change = reading = release = undefined;
    elsewhere = known;
  }

  /** Stores all, and gives the turn back. `asked`: another tab takes it. */
  function leave(asked: boolean): Promise<void> {
    const giveBack = release;
    if (!giveBack) return Promise.resolve();
    const stored = save();
    drop(asked);
    if (!asked) changed = false;
    leaving = stored.then(giveBack);
    return leaving;
  }

  return {
    async practice(request) {
      switch (request.do) {
        case 'leave':
          if (!release) await taking;
          await leave(false);
          return success(undefined);
        case 'show':
        case 'take':
          taking = (taking ?? Promise.resolve()).then(() => take(request.do === 'take'));
          await taking;
          break;
        case 'indicators':
          specs = request.specs;
          await compute();
          if (current) showAll();
          return success(undefined);
      }
      const wasRead = reading !== undefined;
      if (release) {
        reading ??= read();
        await reading;
      }
      if (!release) {
        const isShown = request.do === 'show' || request.do === 'take';
        if (isShown) touch();
        return isShown ? success(undefined) : failed({ kind: 'cancelled' });
      }
      const session = current?.session;
      switch (request.do) {
        case 'show':
        case 'take':
          await compute();
          showAll();
          return success(undefined);
        case 'start':
          if (wasRead || !session) return start(request);
          // It could be read only now, and is not replaced.
          await compute();
          showAll();
          return success(undefined);
        case 'forget':
          forget();
          return success(undefined);
        case 'pause':
          pause();
          return success(undefined);
        case 'ticket':
          ticket = request.ticket;
          touch();
          return success(undefined);
        case 'change':
          change = request.change;
          touch();
          return success(undefined);
        case 'play':
          if (session && !session.isOver) play(request.speed);
          return success(undefined);
        case 'bar':
          session?.playBar();
          moved();
          // Its user has asked for it: a tab that is closed in this second has it.
          void save();
          return success(undefined);
        default:
          return session
            ? act(session, request)
            : failed({ kind: 'invalid', message: { key: 'orderEnded' } });
      }
    },
  };
}

/** A session whose first price is there. */
function begun(day: PracticeDay): PracticeSession {
  const session = new PracticeSession(day);
  session.play();
  return session;
}

function stateOf({ id, session }: Current, speed: PracticeSpeed | undefined): PracticeState {
  const { setup, time, bars, isOver } = session;
  return {
    ...{ id, time, bars, isOver, speed },
    instrument: setup.instrument,
    period: setup.period,
    swap: setup.instrument.swap !== undefined,
    total: setup.bars.length,
    start: toText(setup.balance),
    account: summary(session),
    open: session.open.map((order) => shown(session, order)),
    closed: session.closed.map((order) => shown(session, order)),
  };
}

/** An order as the page has it: none of its ids is that of an order of the account. */
function shown(session: PracticeSession, order: OrderState): Order {
  return { ...session.shown(order), id: practiceId(order.id) };
}

function profitsOf(session: PracticeSession): OrderProfit[] {
  return session.open.map((order) => {
    const { id, profit, updatePrice } = shown(session, order);
    return { id, profit: toFixed(profit, PROFIT_SCALE), price: toNumber(updatePrice) };
  });
}

function summary(session: PracticeSession): AccountSummary {
  const { id, precision } = session.setup.instrument;
  const price = session.tick && toPrice(session.tick.price);
  const found =
    price &&
    stopOutPrice(
      snapshotOf(session.account, session.open, session.setup.instrument),
      price,
      precision,
    );
  return {
    ...summaryOf(session.account, ZERO),
    stopOutPrices: found ? { [id]: toText(found) } : {},
  };
}

function snapshotOf(
  { balance, marginInUse, profit }: AccountTotals,
  open: readonly OrderState[],
  { unitsPerLot }: Instrument,
) {
  return { balance, marginInUse, profit, exposure: heldUnits(open, unitsPerLot) };
}

/** The order that the page has by this id. */
function find({ open }: PracticeSession, id: number): OrderState | undefined {
  return open.find((order) => order.id === practiceId(id));
}

/** What an amended order would do: its own margin is free for it. */
function previewAmended(session: PracticeSession, order: OrderState, terms: AmendmentInput) {
  const others = session.open.filter(({ id }) => id !== order.id);
  const account = accountAfterClose(session.account, order);
  return preview(session, amendedTicket(order, terms), others, account);
}

/** What a ticket would do in a session. */
function preview(
  session: PracticeSession,
  ticket: TicketInput,
  open: readonly OrderState[] = session.open,
  account: AccountTotals = session.account,
): TicketPreview {
  const { setup, tick, time } = session;
  const { instrument, feeType, quoteFill } = setup;
  const { bid, ask } = tick ?? {};
  return previewOf(ticket, {
    ...{ instrument, feeType, quoteFill },
    price: tick && toPrice(tick.price),
    marketOpen: !session.isOver,
    topOfBook: bid === undefined || ask === undefined ? undefined : { bid, ask },
    openOrders: open.length,
    now: time,
    snapshot: snapshotOf(account, open, instrument),
  });
}
