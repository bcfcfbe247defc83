import { type Result, success } from '#domain/core/result';
import type { Frame } from '#domain/gateway/gateway';
import type { TradingGateway } from '#domain/gateway/trading';
import type { Session } from '../account/session';
import type { Dispatch } from '../connection/dispatch';
import type { Topics } from '../connection/topics';
import type { Clock } from '../core/ports';
import { createRetry } from '../core/retry';
import type { Frames } from '../frames/frames';
import type { Http } from '../http/client';
import type { IdempotentRequests } from '../http/idempotentRequests';
import { showFailure } from '../http/notices';
import type { Market } from '../market/market';
import { createBrokerFees } from '../risk/brokerFees';
import { createFigures } from '../risk/figures';
import { createPositions } from '../risk/positions';
import { createPrices } from '../risk/prices';
import { createTicket } from '../risk/ticket';
import { createActions } from './actions';
import { createHistory } from './history';
import { createListing } from './listing';
import { createPushes } from './pushes';
import { createStore } from './store';
import { createWindows } from './windows';

export interface TradingOptions {
  clock: Clock;
  http: Http;
  requests: IdempotentRequests;
  session: Session;
  market: Market;
  dispatch: Dispatch;
  topics: Topics;
  frames: Frames;
  /** Whether what the socket pushes is of the present session. */
  isLoggedIn: () => boolean;
}

/** Orders, positions, the account and the ticket. */
export interface Trading {
  readonly gateway: Omit<TradingGateway, 'signInDemo' | 'signOut'>;
  /** There is a server to ask. */
  start(): void;
  /** Another session than before, or none. */
  tokenChanged(token: string): void;
  /** The link stands anew: pushes may have been missed. */
  reconnected(): void;
  /** From here on pushes come. */
  loggedIn(): void;
  /** The list of instruments has changed. */
  listed(): void;
  /** Other than by an order. */
  moneyMoved(): void;
}

export function createTrading(options: TradingOptions): Trading {
  const { clock, http, requests, session, frames, topics, dispatch } = options;
  let started = false;
  let releases: (() => void)[] = [];
  let revision = 0;
  let ordersChanged = false;
  let moneyChanged = false;
  let shownAccount = '';

  const prices = createPrices(options.market);
  const positions = createPositions(prices, reckon);
  const store = createStore({
    changed(before, after) {
      positions.changed(before, after);
      if (!after) history.outdate();
      bump();
    },
  });
  const history = createHistory(http);
  const listing = createListing(http, store, (ended) => {
    figures.listed();
    void pushes.endedUnseen(ended);
  });
  const figures = createFigures({
    clock,
    http,
    store,
    profit: positions.profit,
    isSignedIn: () => session.token !== '',
    changed: reckon,
    mismatch: () => void list(),
  });
  const fees = createBrokerFees(clock, http, () => ticket.outdate());
  const ticket = createTicket({
    prices,
    standing: () => figures.standing,
    exposure: positions.exposure,
    feeType: () => fees.type,
    touch: frames.touch,
    gather: frames.gather,
  });
  const pushes = createPushes({
    dispatch,
    store,
    history,
    emit: frames.emit,
    isLoggedIn: options.isLoggedIn,
    live: positions.live,
    pushed() {
      bump();
      void figures.refresh(true);
    },
  });
  const actions = createActions({
    requests,
    session,
    store,
    prices,
    ticket,
    emit: frames.emit,
    moneyMoved: (changed) => void figures.refresh(changed),
    outdated: () => void list(),
  });
  const orders = createWindows({ session, store, history, positions, listing });
  const relist = createRetry(clock, () => void list());

  /** Prices or balances have moved. */
  function reckon(): void {
    moneyChanged = true;
    ticket.outdate();
    frames.gather();
  }

  function bump(): void {
    revision += 1;
    ordersChanged = true;
    frames.touch();
  }

  frames.add((frame: Frame) => {
    if (moneyChanged) {
      const account = figures.latest();
      const text = JSON.stringify(account);
      if (text !== shownAccount) frame.account = account;
      shownAccount = text;
    }
    moneyChanged = false;
    const profits = positions.drainProfits();
    if (profits) frame.profits = profits;
    const preview = ticket.drainPreview();
    if (preview) frame.ticket = preview;
    if (ordersChanged) frame.ordersRevision = revision;
    ordersChanged = false;
  });

  /** Until it has come out well: what is not listed can't be reckoned. */
  async function list(ask: () => Promise<Result<void>> = listing) {
    const result = await ask();
    if (result.ok || result.failure.kind === 'signed-out') relist.end();
    else if (result.failure.kind !== 'cancelled') relist.schedule();
    return result;
  }

  function begin(): void {
    releases = [topics.retain('FOREX_TRADE'), topics.retain('FOREX_CLOSED')];
    void list();
    void figures.refresh();
  }

  function end(): void {
    for (const release of releases) release();
    releases = [];
    listing.abort();
    relist.end();
    store.clear();
    history.clear();
    figures.clear();
    pushes.clear();
    reckon();
    bump();
  }

  return {
    gateway: {
      ...actions,
      orders,
      setTicket(input) {
        if (input) fees.need();
        ticket.set(input);
      },
      ordersOf: (instrumentId) => store.ofInstrument(instrumentId).map(positions.live),
      async refreshOrders() {
        await session.ready;
        if (!session.token) return success(undefined);
        history.outdate();
        const [listed, balances] = await Promise.all([list(listing.join), figures.refresh()]);
        bump();
        const result = listed.ok ? balances : listed;
        if (!result.ok) showFailure(frames.emit, result.failure);
        return result;
      },
      watchOrders: positions.watch,
    },
    start() {
      started = true;
      if (session.token) begin();
    },
    tokenChanged(token) {
      end();
      if (started && token) begin();
    },
    reconnected() {
      fees.outdate();
      if (!session.token) return;
      history.outdate();
      bump();
      listing.abort();
      void list();
      figures.restart();
    },
    loggedIn() {
      void list();
      void figures.refresh();
    },
    listed: prices.listed,
    moneyMoved: () => void figures.refresh(),
  };
}
