import { DEFAULT_LANGUAGE, type Language } from '#domain/core/language';
import type { Result } from '#domain/core/result';
import type { Message } from '#domain/core/rule';
import type { Frame, Gateway, Start } from '#domain/gateway/gateway';
import type { Category } from '#domain/market/instrument';
import { createAccount } from './account/account';
import { createCurrentUser } from './account/currentUser';
import { createSession } from './account/session';
import { createSessionCalls } from './account/sessionCalls';
import { createCompanies } from './companies/companies';
import { createConnection } from './connection/connection';
import type { Ports } from './core/ports';
import { createTrafficMeter } from './core/trafficMeter';
import { createVersionWatch } from './core/version';
import { createFrames, sendFrames } from './frames/frames';
import { baseAddress } from './http/base';
import { createHttp, type Http } from './http/client';
import { appStatus } from './http/common';
import { createIdempotentRequests } from './http/idempotentRequests';
import * as trading from './http/market';
import { createKlines } from './market/klines';
import { createMarket } from './market/market';
import { createSparklines } from './market/sparklines';
import { createMining } from './mining/mining';
import { createNews } from './news/news';
import { createRanking } from './ranking/ranking';
import { createTrading } from './trading/trading';
import { createWallet } from './wallet/wallet';

/** The worker, made of its parts. Everything outside is injected, so that all of it runs without a Worker. */
export function createGateway(ports: Ports): Gateway {
  const { clock, storage, otherTabs } = ports;
  const meter = createTrafficMeter(ports.stopwatch);
  const frames = createFrames({
    now: clock.now,
    after: (ms, make) =>
      clock.after(ms, () => {
        const begun = meter.begin();
        make();
        meter.end(begun);
      }),
  });
  let language: Language = DEFAULT_LANGUAGE;
  let page: Start['page'] | undefined;
  let base = { http: '', ws: '' };
  let linkChanged = true;
  let checkingChanged = false;
  let userChanged = false;
  let complaintUrl = '';
  let categories: Promise<Result<Category[]>> | undefined;

  const session = createSession({
    storage,
    otherTabs,
    emit: frames.emit,
    changed(token) {
      connection.authenticate(token);
      orders.tokenChanged(token);
      currentUser.tokenChanged(token);
    },
  });
  const http = createHttp({
    base: () => base.http,
    clock,
    language: () => language,
    token: () => session.token,
    emit: frames.emit,
    signedOut: session.signedOut,
    adapter: ports.adapter,
  });
  const connection = createConnection({
    ports,
    meter,
    url: () => base.ws,
    session: () => session,
    changed() {
      linkChanged = true;
      frames.touch();
    },
    provenChanged: () => market.quotes.markWatched(),
    opened(again) {
      market.following.resubscribed();
      klines.subscribed();
      currentUser.check();
      if (!again) return;
      market.reconnected();
      orders.reconnected();
      requests.retryNow();
      version.check();
      void checkStatus();
    },
    loggedIn: () => orders.loggedIn(),
  });
  const { socket, link, topics, dispatch } = connection;
  const market = createMarket({
    ports,
    http,
    topics,
    dispatch,
    link,
    frames,
    listed(setBack) {
      klines.listed(setBack);
      orders.listed();
    },
  });
  const klines = createKlines({
    clock,
    http,
    topics,
    dispatch,
    frames,
    codeOf: (id) => market.list.instrument(id)?.code,
  });
  const requests = createIdempotentRequests({
    clock,
    http,
    storage,
    token: () => session.token,
    emit: frames.emit,
    checkingChanged() {
      checkingChanged = true;
      frames.touch();
    },
  });
  const orders = createTrading({
    clock,
    http,
    requests,
    session,
    market,
    dispatch,
    topics,
    frames,
    isLoggedIn: () => connection.isLoggedIn,
  });
  /** Waits for the token of the last visit: the page may open on a screen that needs it. */
  const sessionHttp: Http = {
    ...http,
    async get(call, read) {
      await session.ready;
      return http.get(call, read);
    },
  };
  const { moneyMoved } = orders;
  const currentUser = createCurrentUser({
    http,
    storage,
    session: () => session,
    changed(user) {
      userChanged = true;
      account.userChanged(user);
      frames.touch();
    },
  });
  const account = createAccount({
    http,
    requests,
    storage,
    ready: session.ready,
    emit: frames.emit,
    touch: frames.touch,
    signedIn: currentUser.signedIn,
    complaintUrl: () => complaintUrl,
  });
  const sessions = createSessionCalls({ http, storage, session, currentUser });
  const sparklines = createSparklines(clock, http);
  const version = createVersionWatch(clock, http, frames.emit);

  frames.add((frame: Frame) => {
    if (linkChanged) frame.link = link.current;
    linkChanged = false;
    if (checkingChanged) frame.checking = [...requests.checking];
    checkingChanged = false;
    if (userChanged && currentUser.user !== undefined) frame.user = currentUser.user;
    userChanged = false;
    account.collect(frame);
  });

  /** §8: an app that is out of service sends its users elsewhere. */
  async function checkStatus(): Promise<void> {
    const status = await appStatus(http);
    if (status.ok && status.data.lost && status.data.lossUrl)
      frames.emit({ type: 'leave', url: status.data.lossUrl });
  }

  /** Whether the last visit's changes were made, its user has to look up (D56). */
  async function tellUnanswered(): Promise<void> {
    const { length: count } = await requests.unansweredFromLastVisit();
    const message: Message = { key: 'unansweredChanges', params: { count } };
    if (count > 0) frames.emit({ type: 'failure', failure: { kind: 'invalid', message } });
  }

  return {
    start(options) {
      if (page) return;
      page = options.page;
      base = baseAddress(page);
      language = options.language;
      market.list.setLanguage(language);
      market.following.setSaver(options.dataSaver);
      frames.setVisible(options.visible);
      link.setOnline(options.online);
      void market.restore();
      void market.refresh({ quiet: false, initial: true });
      socket.ensure();
      complaintUrl = options.complaintUrl ?? '';
      currentUser.start();
      orders.start();
      void tellUnanswered();
      void checkStatus();
      version.start(page.origin, options.version);
    },
    sendFrames: (port) => void sendFrames(frames.next, port),
    watch(change) {
      if (change.instruments) market.watch(change.instruments);
      if (!change.candles) return;
      klines.watch(change.candles);
      market.select(change.candles.add.at(-1)?.instrumentId);
    },
    ensureConnected() {
      if (page) socket.ensure();
    },
    setVisible(visible) {
      frames.setVisible(visible);
      if (!visible) return market.save();
      if (!link.proven) socket.wake();
      version.check();
    },
    setOnline(online) {
      link.setOnline(online);
      if (online) socket.networkBack();
    },
    setLanguage(next) {
      if (next === language) return;
      language = next;
      categories = undefined;
      market.list.setLanguage(next);
      // Names may be in the user's language.
      void market.refresh({ quiet: true, initial: true });
    },
    setDataSaver: (dataSaver) => market.following.setSaver(dataSaver),
    setPace: frames.setPace,
    traffic: meter.traffic,
    rows: market.list.rows,
    row: market.list.row,
    refreshList: () => market.refresh({ quiet: false, initial: false }),
    async categories() {
      categories ??= trading.categories(http);
      const asked = categories;
      const result = await asked;
      if (!result.ok && categories === asked) categories = undefined;
      return result;
    },
    sparklines,
    ...createWallet({ http: sessionHttp, requests, emit: frames.emit, moneyMoved }),
    ...createMining({ http: sessionHttp, requests, moneyMoved }),
    ...createNews(sessionHttp),
    ...createRanking(sessionHttp),
    ...createCompanies(sessionHttp),
    ...account.gateway,
    ...sessions,
    ...orders.gateway,
    loadOlder: klines.loadOlder,
    reloadCandles: klines.reload,
  };
}
