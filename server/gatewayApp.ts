import { toDurationMs } from '#domain/core/time';
import { tokenHash } from './account/tokenHash';
import type { App } from './app';
import { type Bus, fromJson, SUBJECTS, toJson } from './cluster/bus';
import type { OfEpoch } from './cluster/engineBus';
import { RemoteMarket } from './cluster/remoteMarket';
import { UserPushes } from './cluster/userPushes';
import type { Config } from './config/config';
import type { Clock } from './core/clock';
import type { Log } from './core/log';
import { SteadyClock } from './core/steadyClock';
import type { Tracing } from './core/trace';
import { DatabaseUnavailable } from './db/unavailable';
import { healthRoutes } from './health/routes';
import { createHttp } from './http/httpServer';
import { listenOn } from './http/listen';
import { addressOf } from './http/pageAddresses';
import { Proxies } from './http/proxies';
import type { Caller } from './http/route';
import { quoteRoutes } from './market/quotes/routes';
import { openMetrics } from './metrics/openMetrics';
import { measureRequests } from './metrics/requests';
import { Sockets } from './socket/sockets';
import { traceRequests } from './tracing/requests';

export interface GatewayOptions {
  config: Config;
  bus: Bus;
  tracing?: Tracing | undefined;
  clock: Clock;
  log: Log;
  /** The engine has another market than at the start: this process has to start again. */
  onOtherMarket(): void;
}

/** Requests that run when the gateway stops are cut off after this long. */
const STOP_TIMEOUT_MS = toDurationMs(10_000);
const RETRY_MS = toDurationMs(500);

/**
 * The composition root of a gateway: websockets and market calls at the prices of an engine (architecture.md#cluster). It
 * keeps nothing. Resolves once an engine answers.
 */
export async function createGateway(options: GatewayOptions): Promise<App> {
  const { config, bus, tracing, log, onOtherMarket } = options;
  const clock = new SteadyClock(options.clock);
  const measured = await openMetrics(config, clock, log);
  const market = await whenEngineAnswers(options, () =>
    RemoteMarket.open({
      bus,
      clock,
      log,
      name: config.title,
      onGap() {
        measured?.metrics.busGap('market');
        sockets.restart();
      },
      onSessionEnded: (sessionId) => sockets.endSession(sessionId),
      onOtherMarket,
    }),
  );
  // An engine that was paused and does not know yet that another one is at work.
  const accept = <T>({ epoch, value }: OfEpoch<T>): T => {
    if (epoch < market.presentEpoch) throw new DatabaseUnavailable();
    return value;
  };
  const users = new UserPushes({
    bus,
    ask: askEngine,
    accept,
    toUser: (userId, message) => sockets.toUser(userId, message),
    onGap(userId) {
      measured?.metrics.busGap('user');
      sockets.restartUser(userId);
    },
  });
  async function authenticate(token: string): Promise<Caller | undefined> {
    const hash = tokenHash(token);
    if (hash === undefined) return undefined;
    const answer = await askEngine(SUBJECTS.session, hash);
    return accept<Caller | null>(fromJson(answer)) ?? undefined;
  }
  async function askEngine(subject: string, question: unknown): Promise<Uint8Array> {
    try {
      return await bus.ask(subject, toJson(question));
    } catch (cause) {
      throw new DatabaseUnavailable({ cause });
    }
  }

  const proxies = new Proxies(config.trustProxy, log);
  const http = await createHttp(
    { ...config, proxies, clientDirectory: '', clock, log },
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
    sockets: () => sockets.figures(),
    queues: {},
    pool: undefined,
  });
  quoteRoutes(http, market);
  let started = false;
  healthRoutes(http, {
    isStarted: () => started && market.isLive,
    askDatabase: async () => {},
    clock,
  });

  return {
    notes: ['This is a gateway: it serves websockets and market calls only.'],
    async listen() {
      await market.start();
      const port = await listenOn(http, config);
      if (measured && config.metricsPort !== undefined) {
        const own = await measured.server.listen(config.metricsPort, config.metricsHost);
        log.info(`Metrics: ${addressOf(config.metricsHost, own)}/metrics`);
      }
      started = true;
      return port;
    },
    async close() {
      started = false;
      const cancel = clock.after(STOP_TIMEOUT_MS, () => http.server.closeAllConnections());
      await http.close();
      cancel();
      market.stop();
      await measured?.server.close();
      await tracing?.close();
      await bus.close();
    },
  };
}

/** Tries until an engine answers: gateways and engines start in any order. */
async function whenEngineAnswers<T>(
  { clock, log }: GatewayOptions,
  action: () => Promise<T>,
): Promise<T> {
  for (let told = false; ; told = true) {
    try {
      return await action();
    } catch (error) {
      if (!told) log.info(`Waiting for an engine: ${(error as Error).message}`);
      await new Promise<void>((resolve) => void clock.after(RETRY_MS, resolve));
    }
  }
}
