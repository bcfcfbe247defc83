import type { Call } from '#domain/api/call';
import type { EndpointFields } from '#domain/api/endpoint';
import { CODE_OTHER_CONTENT } from '#domain/api/envelope';
import type { ReadOrder } from '#domain/api/trading';
import {
  askedWait,
  type Confirmed,
  type Done,
  type Failure,
  failed,
  type Result,
  success,
} from '#domain/core/result';
import {
  type DurationMs,
  longest,
  shortest,
  timeAfter,
  timeBefore,
  timeBetween,
  toDurationMs,
  toUnixMs,
} from '#domain/core/time';
import type { Order } from '#domain/trading/order';
import { oppositeTicket } from '#domain/trading/reversal';
import {
  LONGEST_ORDER_TIME,
  OF_AN_ORDER,
  type RequestSubject,
  type UnansweredRequest,
} from '#domain/worker/requests';
import type { TimeRange } from '../connection/connectionTracker';
import { createBackoff } from '../core/backoff';
import type { LateListener } from '../core/lazyListeners';
import { sleep } from '../core/sleep';
import { paramsFor } from '../http/call';
import type { Reader } from '../http/client';
import { showFailure } from '../http/notices';
import { submitParams } from '../http/orderChanges';
import { readOrder } from '../http/trading';
import { matchingOrders, OPENS } from './matchingOrders';
import { createPendingStore, type Entry } from './pendingStore';
import type { RequestsOptions, Sending } from './types';

/** Wait this long before repeating a call, ms; doubled up to the cap. */
const RETRY_MS = toDurationMs(1000);
const RETRY_CAP_MS = toDurationMs(15_000);
/** Check this often whether a first attempt can be sent, ms. */
const READY_MS = toDurationMs(100);
/** Wait for the storage at most this long, ms: a hanging storage must not delay an order. */
const STORE_MS = toDurationMs(500);
/** A call is not repeated when its deadline ended longer ago than this (protocol.md#deadlines), ms. */
const REPEATABLE_MS = 23 * 3_600_000;
/** How far order times may be off the market's clock, ms: with its last known time, and where it is unknown. */
const MARKET_SLACK_MS = toDurationMs(10_000);
const MARKET_UNKNOWN_MS = toDurationMs(600_000);

/** Of a declared call: they can't be stored. */
type Schemas = Pick<Call, 'params' | 'answer'>;

interface Running<T> {
  entry: Entry;
  read: Reader<T>;
  /** Undefined for a call of another tab that is gone, or of an earlier visit. */
  sending: Sending | undefined;
  token: string;
  /** Attempts that were made, and those whose answer was lost. */
  attempts: number;
  lost: number;
}

/** What to do next: send the call, wait until that is possible, or give up for a reason. */
type Step = 'send' | 'wait' | Failure;

/** How long after it was confirmed a call may be executed that is no order (D85). */
const MONEY_TIME = toDurationMs(60_000);

const NOT_SENT: Failure = { kind: 'invalid', message: { key: 'notSent' } };
const UNKNOWN: Failure = { kind: 'unanswered' };

/** Sends changing calls and finds out their outcome. Its code is loaded after the first prices. */
export interface RetryingSender extends LateListener {
  send<T>(
    endpoint: EndpointFields,
    params: object,
    read: Reader<T>,
    sending: Sending,
  ): Promise<Result<Done<T>>>;
  /** Another user is logged in, or the same one again. */
  userChanged(): void;
  dismiss(key: string): void;
  readonly unanswered: UnansweredRequest[];
}

export function createRetryingSender(
  options: RequestsOptions,
  changed: () => void,
): RetryingSender {
  const { clock, http, session, frames } = options;
  const pendingStore = createPendingStore(options.storage, options.tabLocks);
  const running = new Map<
    string,
    { call: Running<unknown>; sent: Promise<Result<Confirmed<unknown>>> }
  >();
  const unanswered = new Map<string, UnansweredRequest>();
  /** Calls that are done, whose entry stays until that of the next one is stored. */
  const awaitingNext = new Set<string>();
  /** Keys whose entry was removed: one that was read just before is not taken over. */
  const forgotten = new Set<string>();
  let attempts = new AbortController();
  let asking: Promise<readonly string[] | undefined> | undefined;
  let knownToken = session.token;

  /** Ends all waits: calls continue immediately, or end where another user is logged in. */
  function retryNow(): void {
    attempts.abort();
    attempts = new AbortController();
  }

  /** Negative once the time of a call is over. */
  function timeLeft({ confirmed, orderTime, subject: { kind } }: Sending): DurationMs {
    const time = OF_AN_ORDER.has(kind) || kind === 'reset' ? orderTime : MONEY_TIME;
    return timeBetween(clock.now(), timeAfter(confirmed, time));
  }

  /** How long the server is left alone at most where it asks for that. */
  function timeUntilDeadline<T>({ sending }: Running<T>): DurationMs {
    const left = sending ? timeLeft(sending) : toDurationMs(0);
    return left > 0 ? left : RETRY_CAP_MS;
  }

  /** Between which times an order has its own, on the market's clock, if it is executed now. */
  function orderTime(): TimeRange {
    const known = options.marketTime();
    const slack = known ? MARKET_SLACK_MS : MARKET_UNKNOWN_MS;
    const { from, until } = known ?? { from: clock.now(), until: clock.now() };
    return { from: timeBefore(from, slack), until: timeAfter(until, slack) };
  }

  function show({ key, subject, until, half }: Entry, orders?: Order[], busy = false): void {
    const asking = busy ? 'busy' : 'asking';
    const known = until === undefined ? asking : 'unknown';
    unanswered.set(key, {
      key,
      subject,
      state: half ? 'half' : known,
      ...(half && { failure: half }),
      ...(orders && { orders }),
    });
    changed();
  }

  function hide(key: string): void {
    if (unanswered.delete(key)) changed();
  }

  function forget(key: string): Promise<void> {
    forgotten.add(key);
    return pendingStore.remove(key);
  }

  /** Stores an entry; that of the call that it continues is not needed then. */
  async function store(entry: Entry): Promise<void> {
    await pendingStore.put(entry);
    if (entry.continues === undefined) return;
    awaitingNext.delete(entry.continues);
    await forget(entry.continues);
  }

  function put(entry: Entry): Promise<void> {
    return Promise.race([store(entry), sleep(clock, STORE_MS)]);
  }

  /** What the server lists; undefined where it does not come at once. */
  async function listed(signal: AbortSignal): Promise<readonly string[] | undefined> {
    asking ??= askFeatures().finally(() => {
      asking = undefined;
    });
    const found = await Promise.race([asking, sleep(clock, READY_MS, signal)]);
    return found ?? undefined;
  }

  /** Asks for them, once for all calls, and ever more seldom while the server does not answer. */
  async function askFeatures(): Promise<readonly string[] | undefined> {
    const backoff = createBackoff({ first: RETRY_MS, cap: RETRY_CAP_MS });
    do {
      const { signal } = attempts;
      const found = await options.serverFeatures(signal);
      if (found.ok) return found.data;
      await sleep(clock, backoff.next(), signal);
    } while (running.size > 0);
    return undefined;
  }

  /** The step of a call of this visit that was not sent yet. What is sent is decided here and stored, because the server refuses a key that comes with other parameters. */
  async function firstStep(entry: Entry, sending: Sending, signal: AbortSignal): Promise<Step> {
    const left = () => toDurationMs(Math.max(0, timeLeft(sending)));
    if (left() <= 0) return NOT_SENT;
    const found = await listed(signal);
    if (!found) return 'wait';
    const params = paramsFor(entry.endpoint, entry.params, found, sending.needs);
    if (!params.ok) return params.failure;
    if (found.includes('deadlines') && !options.lacksClock()) {
      const now = options.serverTime();
      if (now === undefined) return 'wait';
      entry.validUntil = toUnixMs(Math.floor(timeAfter(now, left())));
    }
    entry.params = params.data;
    await put(entry);
    return left() <= 0 ? NOT_SENT : 'send';
  }

  /** The step of a call whose answer was lost. */
  async function nextStep<T>(call: Running<T>, signal: AbortSignal): Promise<Step> {
    const { entry, sending } = call;
    const found = await listed(signal);
    if (!found) return 'wait';
    const since = sending && -timeLeft(sending);
    if (!found.includes('deadlines') || entry.validUntil === undefined)
      return since === undefined || since >= 0 ? UNKNOWN : 'send';
    const now = options.serverTime();
    const over = now === undefined ? since : now - entry.validUntil;
    if (over === undefined) return options.lacksClock() ? UNKNOWN : 'wait';
    return over > REPEATABLE_MS ? UNKNOWN : 'send';
  }

  function attempt<T>(call: Running<T>, signal: AbortSignal): Promise<Result<Done<T>>> {
    const { entry, sending, read } = call;
    const { validUntil, params, endpoint, key } = entry;
    // Without deadlines a request that hangs must not arrive after the deadline.
    const left = sending && validUntil === undefined ? timeLeft(sending) : undefined;
    call.attempts += 1;
    return http.send(
      { ...endpoint, effect: 'once' },
      validUntil === undefined ? params : { ...params, valid_until: validUntil },
      read,
      { key, quiet: true, signal, ...(left !== undefined && { timeoutMs: Math.max(1, left) }) },
    );
  }

  /** Sends a call until its outcome is known, or can't be. */
  async function settle<T>(call: Running<T>): Promise<Result<Done<T>>> {
    const backoff = createBackoff({ first: RETRY_MS, cap: RETRY_CAP_MS });
    for (;;) {
      const { signal } = attempts;
      const step =
        call.sending && call.attempts === 0
          ? await firstStep(call.entry, call.sending, signal)
          : await nextStep(call, signal);
      // A key belongs to one user: another one must not send it.
      if (session.token !== call.token) return failed({ kind: 'signed-out' });
      if (typeof step === 'object') return failed(step);
      if (step === 'send') {
        const result = await attempt(call, signal);
        if (result.ok) return result;
        if (isOfOtherContent(result.failure)) return failed(UNKNOWN);
        if (!isLost(result.failure)) return result;
        call.lost += 1;
        const asked = askedWait(result.failure);
        const shown = unanswered.get(call.entry.key)?.state;
        if (shown === undefined || (shown === 'busy') !== asked > 0)
          show(call.entry, undefined, asked > 0);
        // A wait that the server has asked for ends with the time of the call, and not with a new connection.
        const wait = backoff.next();
        if (asked === 0) await sleep(clock, wait, signal);
        else await sleep(clock, longest(wait, shortest(asked, timeUntilDeadline(call))));
      } else {
        await sleep(clock, call.attempts > 0 ? backoff.next() : READY_MS, signal);
      }
    }
  }

  /** The orders that a call may have made or changed, once the lists can be read; undefined where nobody waits for them any more. */
  async function search(entry: Entry): Promise<Order[] | undefined> {
    const backoff = createBackoff({ first: RETRY_MS, cap: RETRY_CAP_MS });
    const { token } = session;
    for (;;) {
      const orders = await matchingOrders(http, entry, options.identify, attempts.signal);
      if (session.token !== token || !unanswered.has(entry.key)) return undefined;
      if (orders) return orders;
      await sleep(clock, backoff.next(), attempts.signal);
    }
  }

  /** The outcome of a call is unknown: the lists may show it. */
  async function lookUp(entry: Entry): Promise<void> {
    entry.until ??= orderTime().until;
    void pendingStore.put(entry);
    show(entry);
    if (!OF_AN_ORDER.has(entry.subject.kind)) return;
    const orders = await search(entry);
    if (orders) show(entry, orders);
  }

  /** An earlier page has begun this reversal, and may have sent its second call while its storage was silent: then the lists show that order. */
  async function lookUpOpposite(half: Entry, closed: Order): Promise<void> {
    const opposite = oppositeOf(half, closed);
    const orders = await search(opposite);
    if (!orders) return;
    const found = orders.length > 0 ? opposite : half;
    void store(found);
    show(found, orders);
  }

  /** The entry of a reversal of which only the close was done; undefined for any other outcome. */
  function halfDone<T>(entry: Entry, result: Result<Done<T>>): Entry | undefined {
    const { kind, order } = entry.subject;
    if (kind === 'opposite') return result.ok ? undefined : { ...entry, half: result.failure };
    if (kind !== 'reverse' || !result.ok) return undefined;
    const row = orderOf(result.data.data);
    const subject: RequestSubject = {
      kind: 'opposite',
      ...(order && { order }),
      ...(row && { closed: options.identify(row) }),
    };
    return { ...entry, subject, half: { kind: 'invalid', message: { key: 'interrupted' } } };
  }

  function reportOutcome<T>(call: Running<T>, result: Result<Done<T>>): Result<Done<T>> {
    const { entry, sending } = call;
    const wasUnanswered = unanswered.has(entry.key);
    // Another user may be logged in by now.
    if (result.ok && session.token === call.token) options.succeeded(entry.subject.kind);
    if (!result.ok && isUnknown(entry, result.failure)) {
      void lookUp(entry);
      options.listsOutdated();
      return result;
    }
    if (result.ok && sending?.continued) {
      // After a logout the next call is not sent.
      if (session.token === call.token) awaitingNext.add(entry.key);
      hide(entry.key);
      return result;
    }
    if (!result.ok && result.failure.kind === 'signed-out') {
      hide(entry.key);
      if (call.lost === 0 && sending && !entry.continues) void forget(entry.key);
      // The call is repeated once the same user is logged in, which may be the case by now.
      else void takeOver();
      return result;
    }
    const half = halfDone(entry, result);
    if (half) {
      const { closed } = half.subject;
      if (closed && !sending && entry.subject.kind === 'reverse') void lookUpOpposite(half, closed);
      else {
        void store(half);
        show(half);
      }
      options.listsOutdated();
      return result;
    }
    hide(entry.key);
    void forget(entry.key);
    if (!sending) options.listsOutdated();
    if (sending?.quiet) return result;
    const { subject } = entry;
    if (!wasUnanswered) {
      if (!result.ok) showFailure(frames.emit, result.failure);
      return result;
    }
    if (!result.ok) {
      frames.emit({ type: 'request-settled', subject, text: '', failure: result.failure });
      return result;
    }
    const { data, text } = result.data;
    const placed = OPENS.has(subject.kind) ? orderOf(data) : undefined;
    const order = placed && options.identify(placed);
    frames.emit({ type: 'request-settled', subject, text, ...(order && { order }) });
    return success({ data, text: '', reported: true });
  }

  async function run<T>(call: Running<T>): Promise<Result<Done<T>>> {
    const { entry, sending } = call;
    const cancel = sending
      ? clock.after(toDurationMs(Math.max(0, timeLeft(sending))), () => {
          if (call.attempts > 0) show(entry);
        })
      : () => {};
    const result = await settle(call);
    cancel();
    running.delete(entry.key);
    return reportOutcome(call, result);
  }

  function start<T>(call: Running<T>): Promise<Result<Done<T>>> {
    const sent = run(call);
    running.set(call.entry.key, { call, sent });
    return sent;
  }

  /**
   * Takes over the calls that this user has left unanswered: earlier in this tab, in another one whose Web Lock the browser has released,
   * or on another visit. It repeats them with their keys and deadlines: without a key the user would order twice, without a deadline late.
   */
  async function takeOver(): Promise<void> {
    const user = options.user();
    const { token } = session;
    if (user === undefined || !token) return;
    for (const { call } of running.values()) {
      if (call.token !== token || call.entry.user !== UNKNOWN_USER) continue;
      call.entry.user = user;
      void pendingStore.put(call.entry);
    }
    const entries = await pendingStore.take(user);
    const continued = new Set(entries.map((entry) => entry.continues));
    for (const entry of entries) {
      if (session.token !== token) return;
      if (running.has(entry.key) || unanswered.has(entry.key)) continue;
      if (awaitingNext.has(entry.key) || forgotten.has(entry.key)) continue;
      if (continued.has(entry.key)) {
        void forget(entry.key);
        continue;
      }
      show(entry);
      if (entry.half) continue;
      if (entry.until === undefined)
        void start({
          entry,
          read: (data) => data ?? null,
          sending: undefined,
          token,
          attempts: 0,
          lost: 0,
        });
      else void lookUp(entry);
    }
  }

  return {
    send<T>(
      { answer: _, params: __, ...endpoint }: EndpointFields & Partial<Schemas>,
      params: object,
      read: Reader<T>,
      sending: Sending,
    ) {
      const { key, subject } = sending;
      // The same key is the same call.
      const known = running.get(key);
      if (known) return known.sent as Promise<Result<Done<T>>>;
      const entry: Entry = {
        key,
        user: options.user() ?? UNKNOWN_USER,
        tab: options.tabLocks.own,
        endpoint,
        params,
        subject,
        from: orderTime().from,
        validUntil: undefined,
        until: undefined,
        continues: sending.continues,
      };
      return start({ entry, read, sending, token: session.token, attempts: 0, lost: 0 });
    },
    userChanged() {
      if (session.token !== knownToken) {
        knownToken = session.token;
        unanswered.clear();
        awaitingNext.clear();
        changed();
        retryNow();
      }
      void takeOver();
    },
    dismiss(key) {
      if (running.has(key)) return;
      hide(key);
      void forget(key);
    },
    get unanswered() {
      return [...unanswered.values()];
    },
    started: () => void takeOver(),
    /** Calls without an answer are repeated immediately. */
    connectedAgain: retryNow,
    storageRecovered: () => void takeOver(),
    visibilityChanged(visible) {
      if (visible) void takeOver();
    },
  };
}

/** The user of an entry until the worker knows who is logged in. */
const UNKNOWN_USER = 0;

function orderOf(data: unknown): ReadOrder | undefined {
  // A call of this visit has a read order, one that was taken over has the server's row.
  return data && typeof data === 'object' && 'side' in data ? (data as ReadOrder) : readOrder(data);
}

/** The second call of a reversal, as the lists would show it. */
function oppositeOf(half: Entry, closed: Order): Entry {
  const from = closed.completedAt ?? half.from;
  return {
    ...half,
    half: undefined,
    params: submitParams(oppositeTicket(closed, '')),
    from,
    until: timeAfter(from, LONGEST_ORDER_TIME),
  };
}

/** Status of a call whose key is still being processed. */
const STILL_RUNNING = 409;

/** Whether the outcome of a call can't be found out: an answer to the second call of a reversal that can't be read may be of an order that was made. */
function isUnknown({ subject }: Entry, { kind }: Failure): boolean {
  return kind === 'unanswered' || (kind === 'transport' && subject.kind === 'opposite');
}

/** Whether the server refused the key itself: what became of the call that it knows under this key, the answer does not say. */
function isOfOtherContent(failure: Failure): boolean {
  if (failure.kind === 'refused') return failure.code === CODE_OTHER_CONTENT;
  return (
    failure.kind === 'transport' &&
    Number(failure.code) === CODE_OTHER_CONTENT &&
    !!failure.answered
  );
}

/** Whether the server may have made the change although its answer was lost: what has no envelope is no answer. */
function isLost(failure: Failure): boolean {
  if (failure.kind === 'refused') return failure.code === STILL_RUNNING;
  if (failure.kind === 'cancelled') return true;
  if (failure.kind !== 'transport') return false;
  const status = Number(failure.code);
  return !failure.answered || status === STILL_RUNNING || status === 429 || status >= 500;
}
