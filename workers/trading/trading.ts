import { compare } from '#domain/core/decimal';
import { type Failure, type Result, success } from '#domain/core/result';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import type { AccountTotals } from '#domain/trading/accountSummary';
import type { Order } from '#domain/trading/order';
import type { TradingWorkerApi } from '#domain/worker/trading';
import type { Session } from '../account/session';
import type { Connection } from '../connection/connection';
import { importOnce } from '../core/importOnce';
import { lazy } from '../core/lazy';
import type { LifecycleListener } from '../core/lifecycle';
import type { Clock } from '../core/ports';
import { createRetry } from '../core/retry';
import type { Frames } from '../frames/frames';
import type { Http } from '../http/client';
import { showFailure } from '../http/notices';
import type { Instruments } from '../market/instruments';
import { createAccountSummary } from '../pricing/accountSummary';
import type { LiveTerms } from '../pricing/brokerTerms';
import { createPositions } from '../pricing/positions';
import { createPrices, type Prices } from '../pricing/prices';
import { createTicket, type TicketOptions } from '../pricing/ticket';
import type { IdempotentRequests } from '../requests/types';
import type { Actions, OrderChanges } from './actions';
import { createFetchOpenOrders } from './fetchOpenOrders';
import { createIdentification, type Identify } from './identify';
import { createOpenOrders } from './openOrders';
import type { OrderLists } from './orderLists';
import { createOrderReads } from './orderReads';
import { createPushes } from './pushes';
import type { Results } from './results';
import type { Reversal } from './reversal';

const actionsCode = importOnce(() => import('./actions'));
const listsCode = importOnce(() => import('./orderLists'));
const resultsCode = importOnce(() => import('./results'));
const termsCode = importOnce(() => import('../pricing/brokerTerms'));
const stopOutCode = importOnce(() => import('../pricing/stopOuts'));
const reversalCode = importOnce(() => import('./reversal'));

/** How long the server may take to log the socket in before orders are fetched without its pushes. */
const LOGIN_PATIENCE_MS = toDurationMs(500);
/**
 * Orders and balances of this age are new enough for a screen that is opened. Short, because no push
 * reports a balance that an operator has changed.
 */
const FRESH_MS = toDurationMs(2000);

export interface TradingOptions {
  clock: Clock;
  http: Http;
  requests: IdempotentRequests;
  session: Session;
  connection: Connection;
  instruments: Instruments;
  frames: Frames;
}

/** Orders, positions, the account summary and the ticket. */
export interface Trading {
  readonly calls: TradingWorkerApi;
  readonly listeners: readonly LifecycleListener[];
  /** Whether a screen shows the summary of the account, which then follows the prices. */
  watchAccount(watched: boolean): void;
  /** Money has moved other than by an order: the balances are fetched again. */
  moneyMoved(): void;
  /** Known data may be outdated: fetches orders and balances again. */
  refetch(): void;
  /** As `refetch`, quietly, and at no cost where nothing has changed. `notifying`: only where an order may end. */
  poll(notifying: boolean): Promise<void>;
  /** Does not wait any more for what is being fetched. */
  abortReads(): void;
  /** The positions at the latest prices. */
  livePositions(): Order[];
  readonly identify: Identify;
  readonly prices: Prices;
  /** Calls `moved` when the summary of the account may have changed. Returns what reads them. */
  followAccount(moved: () => void): () => AccountTotals | undefined;
}

export function createTrading(options: TradingOptions): Trading {
  const { clock, http, requests, session, frames } = options;
  const { topics, dispatch, tracker } = options.connection;
  let started = false;
  let releases: (() => void)[] = [];
  let stopWaiting = () => {};
  /** When orders and balances of this user were first fetched. */
  let fetchedAt: UnixMs | undefined;
  let sentAccount = '';
  let accountWatched = false;
  let accountMoved = () => {};
  /** Why the open orders are not up to date. */
  let listFailure: Failure | undefined;

  const account = frames.field('account', () => {
    const latest = summary.latest();
    const text = JSON.stringify(latest);
    if (text === sentAccount) return undefined;
    sentAccount = text;
    return latest;
  });
  const profits = frames.field('profits', () => positions.drainProfits());
  const preview = frames.field('ticket', () => ticket.drainPreview());
  const changePreview = frames.field('change', () => reversal?.ticket.drainPreview());
  const revision = frames.revision('ordersRevision');

  const { identify, missed } = createIdentification(options.instruments.list);
  let terms: LiveTerms | undefined;
  /** Where loading the code fails, the next ticket tries again. */
  async function needTerms(): Promise<void> {
    const code = await termsCode().catch(() => undefined);
    terms ??= code?.createBrokerTerms(clock, http, prices.allMoved);
    positions.terms = terms;
    terms?.need();
  }
  const { quotes } = options.instruments;
  /** Bid or ask of an instrument have changed, or it has both them and an order now. */
  function bookMoved(id: number): void {
    if (terms?.current?.quoteFill === 0) return;
    if (positions.reprice(id) && !terms) void needTerms();
    if (terms) recompute();
  }
  quotes.topOfBookListeners.add(bookMoved);
  const prices = createPrices(options.instruments, () => terms?.current?.quoteFill);
  const positions = createPositions(prices, recompute);
  const openOrders = createOpenOrders({
    changed(before, after) {
      positions.changed(before, after);
      if (after && quotes.topsOfBook.has(after.instrumentId)) bookMoved(after.instrumentId);
      const closed = !after || (before && compare(after.lots, before.lots) < 0);
      if (closed) history.invalidate();
      revision.bump();
    },
  });
  let lists: OrderLists | undefined;
  async function loadLists(): Promise<OrderLists> {
    const { createOrderLists } = await listsCode();
    lists ??= createOrderLists({
      http,
      identify,
      session,
      openOrders,
      positions,
      fetchOpenOrders,
      revision,
      emit: frames.emit,
      failure: () => listFailure,
    });
    return lists;
  }
  const { orders, newest, pastTrades } = lazy(
    async () => {
      const { orders, history, pastTrades } = await loadLists();
      return { orders, newest: history.newest, pastTrades };
    },
    { orders: true, newest: true, pastTrades: true },
  );
  let results: Results | undefined;
  const resultCalls = lazy(
    async () => {
      const [{ createResults }, { history }] = await Promise.all([resultsCode(), loadLists()]);
      results ??= createResults({
        clock,
        http,
        session,
        history,
        fetchOpenOrders,
        openOrders,
        tracker,
      });
      return results.calls;
    },
    { results: true, statement: true },
  );
  const history = {
    newest,
    invalidate: () => lists?.history.invalidate(),
    correct: (id: number) => lists?.history.correct(id),
    clear: () => lists?.history.clear(),
  };
  const reads = createOrderReads(http);
  const fetchOpenOrders = createFetchOpenOrders(reads.orderPage, openOrders, identify, (ended) => {
    summary.ordersListed();
    void pushes.endedUnseen(ended);
  });
  const summary = createAccountSummary({
    clock,
    fetchBalances: reads.balances,
    openOrders,
    profit: positions.profit,
    stopOutPrices(totals) {
      const code = stopOutCode.present();
      // Where loading fails, the next price tries again.
      if (!code && openOrders.count > 0) stopOutCode().then(account.touch, () => undefined);
      return code?.stopOutPrices(totals, positions) ?? {};
    },
    isSignedIn: () => session.token !== '',
    changed: recompute,
    mismatch: () => void list(),
  });
  const ticketOptions: Omit<TicketOptions, 'field'> = {
    prices,
    account: () => summary.account,
    ordersOf: openOrders.ofInstrument,
    terms: () => terms?.current,
    openOrders: () => (openOrders.listed ? openOrders.count : undefined),
    marketTime: () => tracker.marketTime?.from,
  };
  const ticket = createTicket({ ...ticketOptions, field: preview });
  const pushes = createPushes({
    clock,
    dispatch,
    openOrders,
    history,
    identify,
    emit: frames.emit,
    marketTime: ticketOptions.marketTime,
    isLoggedIn: () => options.connection.isLoggedIn,
    live: positions.live,
    pushed() {
      revision.bump();
      void summary.refresh(true);
    },
  });
  let orderChanges: OrderChanges | undefined;
  async function loadActions(): Promise<OrderChanges> {
    const { createActions } = await actionsCode();
    orderChanges ??= createActions({
      requests,
      session,
      openOrders,
      identify,
      prices,
      ticket,
      emit: frames.emit,
      closedPart: pushes.closedPart,
      moneyMoved: summary.refresh,
      listAgain: () => void list(),
    });
    return orderChanges;
  }
  const actions = lazy<Actions>(
    async () => (await loadActions()).actions,
    {
      submit: true,
      closeOrder: true,
      closePart: true,
      cancelOrder: true,
      amendOrder: true,
      setExits: true,
      resetDemo: true,
    },
    frames.emit,
  );
  let reversal: Reversal | undefined;
  const reversing = lazy<Pick<Reversal, 'set' | 'reverse'>>(
    async () => {
      const [{ createReversal }, { changing }] = await Promise.all([reversalCode(), loadActions()]);
      reversal ??= createReversal({
        ...ticketOptions,
        field: changePreview,
        requests,
        session,
        orders: openOrders,
        live: positions.live,
        positions,
        changing,
        slow: () => tracker.current.state === 'slow',
        emit: frames.emit,
      });
      return reversal;
    },
    { set: false, reverse: true },
    frames.emit,
  );
  const relist = createRetry(clock, () => void list());

  /** Prices or balances have moved. */
  function recompute(): void {
    if (accountWatched) account.touch();
    profits.touch();
    accountMoved();
    ticket.invalidate();
    reversal?.ticket.invalidate();
  }

  /** What is being fetched may be older than the connection, or never come. */
  function abortReads(): void {
    fetchOpenOrders.abort();
    summary.abort();
  }

  /** Fetches all open orders, and retries until that succeeds. `own`: nobody else shows a failure. */
  async function list(
    fetch: () => Promise<Result<void>> = fetchOpenOrders,
    own = true,
  ): Promise<Result<void>> {
    const result = await fetch();
    if (result.ok || result.failure.kind === 'signed-out') {
      relist.end();
      noteFailure(undefined);
    } else if (result.failure.kind !== 'cancelled') {
      relist.schedule(result.failure);
      if (own && openOrders.listed && !listFailure) showFailure(frames.emit, result.failure);
      noteFailure(result.failure);
    }
    return result;
  }

  function noteFailure(failure: Failure | undefined): void {
    if (!failure !== !listFailure) revision.bump();
    listFailure = failure;
  }

  function begin(): void {
    releases = [topics.retain('FOREX_TRADE'), topics.retain('FOREX_CLOSED')];
    fetchOnceLoggedIn();
  }

  /**
   * Fetches orders and balances once the socket is logged in: what was fetched earlier may miss what
   * changed until then, and would be fetched twice.
   */
  function fetchOnceLoggedIn(): void {
    stopWaiting();
    stopWaiting = clock.after(LOGIN_PATIENCE_MS, fetchBoth);
  }

  function fetchBoth(): void {
    stopWaiting();
    // Only at the start: the fetch after a reconnect was not for the screen that opens next.
    fetchedAt ??= clock.now();
    void list();
    void summary.refresh();
  }

  function end(): void {
    stopWaiting();
    fetchedAt = undefined;
    for (const release of releases.splice(0)) release();
    fetchOpenOrders.abort();
    relist.end();
    listFailure = undefined;
    openOrders.clear();
    history.clear();
    results?.clear();
    summary.clear();
    pushes.clear();
    recompute();
    account.touch();
    revision.bump();
  }

  const listener: LifecycleListener = {
    started() {
      started = true;
      if (session.token) begin();
    },
    tokenChanged(token) {
      end();
      if (started && token) begin();
    },
    languageChanged() {
      // The texts of records are in the former one.
      results?.clear();
    },
    connectedAgain() {
      terms?.invalidate();
      if (!session.token) return;
      history.invalidate();
      revision.bump();
      abortReads();
      if (options.connection.isLoggedIn) fetchBoth();
      else fetchOnceLoggedIn();
    },
    loggedIn() {
      fetchBoth();
      // The first order of this user should not wait for code.
      actionsCode().catch(() => {});
    },
    listReplaced() {
      prices.allMoved();
      if (!missed()) return;
      revision.bump();
      if (openOrders.listed) void list();
    },
  };

  return {
    listeners: [listener],
    livePositions: () => openOrders.of('holding').map(positions.live),
    identify,
    prices,
    followAccount(moved) {
      accountMoved = moved;
      return () => summary.account;
    },
    watchAccount(watched) {
      accountWatched = watched;
      if (watched) account.touch();
    },
    moneyMoved: () => void summary.refresh(),
    refetch() {
      if (!session.token) return;
      history.invalidate();
      revision.bump();
      void list();
      void summary.refresh(true);
    },
    async poll(notifying) {
      if (!session.token || (notifying && openOrders.listed && openOrders.count === 0)) return;
      // No push tells of an order that was opened and closed since.
      history.invalidate();
      const before = revision.current;
      await list(fetchOpenOrders.join, false);
      if (revision.current !== before || !summary.settled) await summary.refresh(true);
    },
    abortReads,
    calls: {
      ...actions,
      ...resultCalls,
      orders,
      pastTrades,
      setTicket(input) {
        if (input) void needTerms();
        ticket.set(input);
      },
      setChange(change) {
        if (change) void needTerms();
        void reversing.set(change);
      },
      reverseOrder: (...args) => reversing.reverse(clock.now(), ...args),
      ordersOf: (instrumentId) => openOrders.ofInstrument(instrumentId).map(positions.live),
      async refreshOrders(entering = false) {
        await session.ready;
        if (!session.token) return success(undefined);
        // Until they are first fetched, they are about to be.
        const age = clock.now() - (fetchedAt ?? clock.now());
        const isFresh = age < FRESH_MS && !listFailure;
        if (entering && isFresh) return success(undefined);
        history.invalidate();
        const [listed, balances] = await Promise.all([
          list(fetchOpenOrders.join, false),
          summary.refresh(),
        ]);
        revision.bump();
        const result = listed.ok ? balances : listed;
        if (!result.ok) showFailure(frames.emit, result.failure);
        return result;
      },
      watchOrders: positions.watch,
    },
  };
}
