import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { toFeeType } from '#domain/trading/margin';
import { Sessions } from './account/sessions';
import { accountRoutes } from './account/userRoutes';
import type { Config } from './config/config';
import { type Environment, loadKeys } from './config/secret';
import type { Clock } from './core/clock';
import type { Database } from './db/open';
import { createHttp } from './http/httpServer';
import { Changes } from './idempotency/idempotentRequests';
import { Ledger } from './ledger/ledger';
import { HaltableMarket } from './market/halts/haltableMarket';
import type { Log, Market } from './market/market';
import { quoteRoutes } from './market/quotes/routes';
import { createPeople } from './people';
import { createServices } from './services';
import { commonRoutes } from './settings/routes';
import { Sockets } from './socket/sockets';
import { createTrading } from './trading/trading';
import { Pictures } from './uploads/pictures';

export interface Parts {
  config: Config;
  database: Database;
  market: Market;
  clock: Clock;
  log: Log;
  /** Where the built client is. */
  clientDirectory: string;
  /** Variables of the process that hold secrets; none unless told. */
  environment?: Environment;
}

export interface App {
  /** What the operator of a sandbox should know at start. */
  notes: readonly string[];
  /** Starts market and matching, then listens. Returns the port; throws where it is taken. */
  listen(): Promise<number>;
  /** Serves nobody any more, then stops the market and closes the database. */
  close(): Promise<void>;
}

/** A call that isn't finished so long after the stop was asked for is cut. */
const PATIENCE_MS = 10_000;

/** Puts the parts of the server together; what they need of each other is handed over here. */
export async function createApp(parts: Parts): Promise<App> {
  const { config, database, clock, log, clientDirectory, environment = {} } = parts;
  const { origins } = config;
  const { db } = database;
  const market = new HaltableMarket(parts.market, db);
  const now = () => clock.now();

  const sessions = new Sessions(db, now);
  const authenticate = (token: string) => sessions.authenticate(token);
  const http = await createHttp({ ...config, clientDirectory }, authenticate);

  // Matching hears of a tick before those who watch.
  const changes = new Changes({
    db,
    now,
    exclusive: (work) => market.exclusively(work),
    seal: (tx) => market.savePosition(tx),
  });
  const ledger = new Ledger(now);
  const feeType = toFeeType(config.tradeFeeType);
  const trading = createTrading({
    db,
    market,
    changes,
    ledger,
    feeType,
    log,
    publish: (userId, message) => sockets.toUser(userId, message),
  });

  const lossless = config.replay !== '' && config.speed === 'max';
  const sockets = new Sockets({ market, authenticate, clock, origins, lossless });
  sessions.onEnd((sessionId) => sockets.endSession(sessionId));
  sockets.attach(http.server);
  http.addHook('preClose', () => sockets.close());

  const keys = await loadKeys(config.data, environment['FULCRUM_SECRET']);
  const directory = join(config.data, 'uploads');
  const pictures = new Pictures({ db, directory, key: keys('pictures'), now });
  const services = createServices({
    config,
    db,
    market,
    clock,
    log,
    changes,
    ledger,
    trading,
    pictures,
  });
  const people = createPeople({
    config,
    environment,
    db,
    market,
    clock,
    log,
    changes,
    ledger,
    sessions,
    pictures,
    keys,
    reviewed: services.reviewed,
    commands: services.commands,
  });

  commonRoutes(http, settingsOf(config));
  accountRoutes(http, { db, changes, ledger, sessions, now });
  quoteRoutes(http, market);
  trading.routes(http);
  services.routes(http);
  await people.routes(http);

  return {
    notes: people.notes,
    async listen() {
      await ledger.prepare(db);
      await market.start();
      await trading.start();
      await services.start();
      const port = await listen(http, config);
      await people.start(port);
      return port;
    },
    async close() {
      const cut = clock.after(PATIENCE_MS, () => http.server.closeAllConnections());
      await http.close();
      cut();
      await people.stop();
      await services.stop();
      await market.stop();
      await database.close();
    },
  };
}

/** All addresses of the machine where no host is given, of both families where there are two. */
async function listen(http: FastifyInstance, { host, port }: Config): Promise<number> {
  try {
    await http.listen({ host: host || '::', port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (host || (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL')) throw error;
    await http.listen({ host: '0.0.0.0', port });
  }
  const address = http.server.address();
  return typeof address === 'object' && address ? address.port : port;
}

function settingsOf(config: Config) {
  return {
    basicInfo: {
      service_link: config.serviceLink,
      service_link_type: config.serviceLink ? config.serviceLinkType : 0,
      verify_reg_type: config.verifyRegType,
      trade_fee_type: config.tradeFeeType,
    },
    status: { status: config.status, type: config.statusType, loss_url: config.lossUrl },
    mobile: config.showMobile === 1,
    complaintEmail: config.complaintEmail,
  };
}
