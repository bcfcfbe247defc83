import { DEFAULT_LANGUAGE, type Language } from '#domain/core/language';
import { createSteadyTime } from '#domain/core/steadyTime';
import type { Start, WorkerApi } from '#domain/worker/workerApi';
import { createAccount } from './account/account';
import { createSession } from './account/session';
import type { App } from './app/app';
import { createConnection } from './connection/connection';
import { createBackground } from './core/background';
import { importOnce } from './core/importOnce';
import { lazy } from './core/lazy';
import { lazyListeners } from './core/lazyListeners';
import { createLifecycle } from './core/lifecycle';
import type { Clock, Ports } from './core/ports';
import { createTrafficMeter } from './core/trafficMeter';
import { createFrames, sendFrames } from './frames/frames';
import { createApi } from './http/api';
import { type BaseAddress, baseAddress, isDecided, withDomain } from './http/baseAddress';
import type { AskFeatures } from './http/call';
import { createHttp, whenReady } from './http/client';
import type { Answering } from './http/transport';
import { createMarket } from './market/market';
import { createIdempotentRequests } from './requests/idempotentRequests';
import { createTrading } from './trading/trading';

const appCode = importOnce(() => import('./app/app'));

/** The worker, made of its parts. Everything outside of it is injected, so that it runs without a Worker (architecture.md#ports). */
export function createWorkerApi(machine: Ports): WorkerApi {
  const { storage, stopwatch } = machine;
  const clock: Clock = {
    now: createSteadyTime(() => machine.clock.now(), stopwatch),
    after: (wait, task) => machine.clock.after(wait, task),
  };
  const ports = { ...machine, clock };
  let started = false;
  let language: Language = DEFAULT_LANGUAGE;
  /** Known once the page has called `start`; nothing is sent before that. */
  let base: BaseAddress = { http: '', ws: '' };

  /** Whether the server has answered a call. */
  let answered = false;
  /** Who has answered the last call that has ended. */
  let answering: Answering = 'server';
  /** While the address of the page needs the public suffix list (D143). */
  let locating: Promise<void> | undefined;

  const meter = createTrafficMeter(stopwatch);
  const frames = createFrames(meter.timed(clock));
  const { emit } = frames;
  const lifecycle = createLifecycle();
  const session = createSession({
    storage,
    otherTabs: ports.otherTabs,
    emit,
    changed: lifecycle.tokenChanged,
  });
  const { ask: serverFeatures } = lazy<{ ask: AskFeatures }>(
    async () => (await loadApp()).serverFeatures,
    { ask: true },
  );
  const http = createHttp({
    base: () => base.http,
    located: () => locating,
    clock,
    serverTime: () => connection.serverClock.now(),
    language: () => language,
    token: () => session.token,
    emit,
    ended(by) {
      // What lets HTTP through again may let a websocket through as well. Where only websockets are blocked, the answers prove it.
      if (by === 'server' && !connection.tracker.proven) connection.retryNow();
      answering = by;
      answered ||= by === 'server';
    },
    signedOut: session.signedOut,
    serverFeatures,
    adapter: ports.adapter,
  });
  /** For screens that a page may open on: waits for the token of the last visit. */
  const sessionHttp = whenReady(http, session.ready);
  const connection = createConnection({
    ports,
    wallClock: machine.clock,
    meter,
    frames,
    lifecycle,
    session,
    checkSession: (initial) => account.checkSession(initial),
    url: () => base.ws,
  });
  const market = createMarket({ ports, http, connection, frames, lifecycle });
  const { instruments } = market;
  const user = () => account.userId;
  const requests = createIdempotentRequests({
    clock,
    http,
    storage,
    tabLocks: ports.tabLocks,
    session,
    frames,
    serverFeatures,
    user,
    serverTime: connection.serverClock.now,
    lacksClock: connection.serverClock.lacking,
    marketTime: () => connection.tracker.marketTime,
    identify: (order) => trading.identify(order),
    succeeded: (kind) => account.requestDone(kind),
    listsOutdated: () => trading.refetch(),
  });
  const trading = createTrading({
    clock,
    http,
    requests,
    session,
    connection,
    instruments,
    frames,
  });
  const { moneyMoved } = trading;
  let app: App | undefined;
  async function loadApp(): Promise<App> {
    const { createApp } = await appCode();
    app ??= createApp({
      clock,
      wallClock: machine.clock,
      otherTabs: ports.otherTabs,
      api,
      http,
      session,
      storage,
      connection,
      instruments,
      market,
      trading,
      frames,
      base: () => base.http,
      answered: () => answered,
      answering: () => answering,
      findUser: () => account.findUser(),
      language: () => language,
    });
    return app;
  }
  const api = createApi({
    http: sessionHttp,
    requests,
    emit,
    moneyMoved,
    storage,
    user,
    language: () => language,
  });
  const account = createAccount({
    api,
    http,
    serverFeatures,
    requests,
    storage,
    session,
    frames,
  });

  const setBackground = createBackground(clock, (isBackground) => {
    // Bars are subscribed before they are fetched again (protocol.md#joining-bars).
    connection.topics.setBackground(isBackground);
    lifecycle.backgroundChanged(isBackground);
  });
  const unsavedField = frames.field('unsaved', () => unsaved);
  let unsaved = false;
  storage.listen({
    recovered: lifecycle.storageRecovered,
    unsavedChanged(next) {
      unsaved = next;
      unsavedField.touch();
    },
  });
  // The list is requested before the socket connects.
  lifecycle.add(
    session,
    ...market.listeners,
    connection,
    {
      // The server may be another version by now.
      connectedAgain() {
        app?.serverFeatures.forget();
      },
    },
    ...trading.listeners,
    ...account.listeners,
    lazyListeners(clock, async () => {
      const [{ listeners }, sender] = await Promise.all([loadApp(), requests.load()]);
      return [...listeners, sender];
    }),
  );

  return {
    start(options) {
      if (started) return;
      started = true;
      language = options.language;
      storage.setVisible(options.visible);
      frames.setVisible(options.visible);
      setBackground(options.visible);
      const locate = (page: Start['page']) => {
        base = baseAddress(page);
        lifecycle.started(options);
      };
      if (isDecided(options.page)) locate(options.page);
      else locating = withDomain(options.page).then(locate);
    },
    setLanguage(next) {
      if (next === language) return;
      language = next;
      lifecycle.languageChanged(next);
    },
    setVisible(visible) {
      storage.setVisible(visible);
      frames.setVisible(visible);
      setBackground(visible);
      lifecycle.visibilityChanged(visible);
    },
    setOnline: connection.setOnline,
    setFrozen: connection.setFrozen,
    retryNow: connection.retryNow,
    sendFrames: (port) => void sendFrames(frames.next, port),
    setFrameInterval: frames.setFrameInterval,
    traffic: meter.traffic,
    async serverOrigin() {
      await locating;
      return base.http;
    },
    ...market.calls,
    ...trading.calls,
    ...lazy<App['calls']>(async () => (await loadApp()).calls, {
      alerts: true,
      addAlert: true,
      deleteAlert: true,
      deviceAlerts: true,
      setTitleInstrument: true,
      watchTopsOfBook: true,
      gridRows: true,
      columnValues: true,
      leaveGrid: true,
      watchColumnValues: true,
      pushKey: true,
      addPush: true,
      deletePush: true,
      ownDomains: true,
      practice: true,
    }),
    watch(change) {
      market.calls.watch(change);
      if (change.account !== undefined) trading.watchAccount(change.account);
    },
    ...account.calls,
    ...requests.calls,
    api,
  };
}
