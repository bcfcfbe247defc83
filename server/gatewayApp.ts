import { toDurationMs } from '#domain/core/time';
import type { AccountName } from './account/otherEngines';
import { type Bus, SUBJECTS } from './cluster/bus';
import { EngineWatch } from './cluster/engineNews';
import { EngineQuestions } from './cluster/engineQuestions';
import { forwardCalls } from './cluster/forwarding';
import { RemoteMarket } from './cluster/remoteMarket';
import { UserPushes } from './cluster/userPushes';
import { whenAnswered } from './cluster/whenAnswered';
import type { Config } from './config/config';
import type { Clock } from './core/clock';
import type { Log } from './core/log';
import { SteadyClock } from './core/steadyClock';
import type { Tracing } from './core/trace';
import { releaseOf } from './http/clientFiles';
import { createHttp } from './http/httpServer';
import { Proxies } from './http/proxies';
import { type App, createLifecycle } from './lifecycle';
import { firstRows } from './market/quotes/firstRows';
import { quoteRoutes } from './market/quotes/routes';
import { openMetrics } from './metrics/openMetrics';
import { measureRequests } from './metrics/requests';
import { Sockets } from './socket/sockets';
import { traceRequests } from './tracing/requests';
import { vitalsRoutes } from './vitals/routes';

export interface GatewayOptions {
  config: Config;
  bus: Bus;
  tracing?: Tracing | undefined;
  clock: Clock;
  log: Log;
  /** Where the built client is. */
  clientDirectory: string;
  /** The feed has another market than at the start: this process has to start again. */
  onOtherMarket(): void;
}

/** A cluster's processes are close to each other. */
const HEALTH_TIMEOUT_MS = 900;
/** Requests that run when the gateway stops are cut off after this long. */
const STOP_TIMEOUT_MS = toDurationMs(10_000);

/**
 * The composition root of a gateway: page, websockets and market calls; all other calls it passes to the engine of their account
 * (architecture.md#cluster). It keeps nothing. Resolves once a feed answers.
 */
export async function createGateway(options: GatewayOptions): Promise<App> {
  const { config, bus, tracing, log, onOtherMarket, clientDirectory } = options;
  const clock = new SteadyClock(options.clock);
  const measured = await openMetrics(config, clock, log);
  const market = await whenAnswered('a market', options, () =>
    RemoteMarket.open({
      bus,
      clock,
      log,
      name: config.title,
      onGap() {
        measured?.metrics.busGap('market');
        sockets.restart();
      },
      onOtherMarket,
    }),
  );
  const engines = new EngineWatch({
    bus,
    clock,
    answers: (url) =>
      fetch(`${url}/healthz`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    onGap: (shard) => users.missed(shard),
    onSessionEnded: (sessionId) => sockets.endSession(sessionId),
  });
  const questions = new EngineQuestions(bus, engines);
  const users = new UserPushes({
    bus,
    ask: (shard, subject, question) => questions.askEngine(shard, subject, question),
    toUser: (userId, message) => sockets.toUser(userId, message),
    onGap(userId) {
      measured?.metrics.busGap('user');
      sockets.restartUser(userId);
    },
  });
  const authenticate = (token: string) => questions.authenticate(token);
  const placeOf = (name: AccountName) =>
    engines.divided ? questions.ask<number>(SUBJECTS.place, name) : Promise.resolve(1);

  const proxies = new Proxies(config.trustProxy, log);
  const vitalsShare = measured ? config.vitalsShare : 0;
  const release = await releaseOf(clientDirectory);
  const http = await createHttp(
    {
      ...config,
      vitalsShare,
      proxies,
      clientDirectory,
      clock,
      log,
      firstRows: () => firstRows(market, clock.now()),
      onPage: () => measured?.metrics.pageServed(release),
    },
    authenticate,
  );
  if (measured) measureRequests(http, measured.metrics);
  if (tracing) traceRequests(http, tracing);
  const { origins } = config;
  const sockets: Sockets = new Sockets({
    market,
    authenticate,
    users,
    clock,
    origins,
    proxies,
    lossless: false,
    log,
  });
  http.addHook('preClose', () => sockets.close());
  sockets.attach(http.server);
  measured?.metrics.watch({
    market,
    sockets: () => sockets.stats(),
    queues: {},
    pool: undefined,
  });
  quoteRoutes(http, market);
  vitalsRoutes(http, { metrics: measured?.metrics, now: () => clock.now() });
  await forwardCalls(http, { addressOf: (shard) => engines.addressOf(shard), placeOf });

  return createLifecycle({
    ...{ config, clock, http, bus, measured, tracing, database: undefined },
    stopTimeout: STOP_TIMEOUT_MS,
    notes: ['This is a gateway: calls of accounts go to their engines.'],
    askDatabase: async () => {},
    canServe: () => market.isLive,
    async start() {
      engines.start();
      await market.start();
    },
    stop: [() => engines.stop(), () => market.stop()],
  });
}
