import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { FEATURES } from '#domain/api/features';
import { toDurationMs } from '#domain/core/time';
import type { QuoteFill } from '#domain/trading/fill';
import { toFeeType } from '#domain/trading/margin';
import { type Account, createAccount } from './account/account';
import { Codes } from './account/codes/codes';
import { UNDIVIDED } from './account/otherEngines';
import { createRelyingParty } from './account/passkeys/relyingParty';
import { Sessions } from './account/sessions';
import { AdminActions } from './admin/actions';
import { createAdmin } from './admin/admin';
import { createAlerts } from './alerts/alerts';
import { documentRoutes } from './api/documentRoutes';
import { ClientErrors } from './clientErrors/clientErrors';
import { errorsCommand } from './clientErrors/command';
import { clientErrorRoutes } from './clientErrors/routes';
import { SourceMaps } from './clientErrors/sourceMaps';
import { AskedEngines } from './cluster/askedEngines';
import { answeringWhile, type Bus } from './cluster/bus';
import { EngineBus } from './cluster/engineBus';
import { Epochs } from './cluster/epochs';
import { MarketServer } from './cluster/marketServer';
import { tokenPrefix, WHOLE } from './cluster/shards';
import { CommandLog } from './commands/commandLog';
import { createCommandKeeping } from './commands/keeping';
import { removeOldReplays, replayCommand } from './commands/replayCommand';
import { companyRoutes } from './companies/routes';
import type { Config } from './config/config';
import { loadKeys } from './config/secret';
import type { Clock } from './core/clock';
import { inOrder } from './core/inOrder';
import type { Log } from './core/log';
import { RepeatedTask } from './core/repeatedTask';
import { SteadyClock } from './core/steadyClock';
import type { Tracing } from './core/trace';
import type { Database } from './db/database';
import { epochsOf } from './db/epochsOf';
import { takeIdRange } from './db/idRange';
import { latestTime } from './db/latestTime';
import { Transactions, type UnitOfWork } from './db/transactions';
import { releaseOf } from './http/clientFiles';
import { createHttp } from './http/httpServer';
import { addressOf } from './http/pageAddresses';
import { Proxies } from './http/proxies';
import { IdempotentRequests } from './idempotency/idempotentRequests';
import { createAuditTask } from './ledger/auditTask';
import { Ledger } from './ledger/ledger';
import { type App, createLifecycle } from './lifecycle';
import { HaltableMarket } from './market/halts/haltableMarket';
import type { Market } from './market/market';
import { firstRows } from './market/quotes/firstRows';
import { quoteRoutes } from './market/quotes/routes';
import { simulatedSource } from './market/simulated/simulatedMarket';
import { openMetrics } from './metrics/openMetrics';
import { measureRequests } from './metrics/requests';
import { createMining } from './mining/mining';
import { createDailySummary } from './news/dailySummary';
import { createNews } from './news/news';
import { NewsPictures } from './news/newsPictures';
import { fetchPicture } from './news/pictureFetch';
import { createNotifier } from './notify/notifier';
import { UserNotices } from './notify/userNotices';
import { createPush } from './push/push';
import { createRanking } from './ranking/ranking';
import { settingsRoutes } from './settings/routes';
import type { PrivateMessage } from './socket/logins';
import { Sockets } from './socket/sockets';
import { createSyncedSettings } from './syncedSettings/syncedSettings';
import { traceRequests } from './tracing/requests';
import { ExposureLimits } from './trading/exposureLimits';
import { createTrading } from './trading/trading';
import { Pictures } from './uploads/pictures';
import { uploadRoutes } from './uploads/routes';
import { vitalsRoutes } from './vitals/routes';
import { createWallet } from './wallet/wallet';

export interface AppOptions {
  config: Config;
  database: Database;
  market: Market;
  /** Where gateways read; absent in a process that serves alone. */
  bus?: Bus | undefined;
  /** Absent where nobody collects traces. */
  tracing?: Tracing | undefined;
  clock: Clock;
  log: Log;
  /** Where the built client is. */
  clientDirectory: string;
}

/** A part of the server that has calls, or work of its own. */
interface Subject {
  routes?(http: FastifyInstance): void;
  start?(): Promise<void>;
  stop?(): Promise<void>;
}

/** When the server stops, calls that are not finished after this long are cut off. */
const STOP_TIMEOUT_MS = toDurationMs(10_000);
const OLD_REMOVED_EVERY_MS = toDurationMs(3_600_000);

/** The composition root: creates every part of the server, in the order in which they need each other. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, database, log, clientDirectory, bus, tracing } = options;
  const { db } = database;
  const feeType = toFeeType(config.tradeFeeType);
  const { index: shard, count: shards } = config.shard ?? WHOLE;
  if (config.shard) await takeIdRange(db, shard);
  const clock = new SteadyClock(options.clock, await latestTime(db));
  const now = () => clock.now();

  const measured = await openMetrics(config, clock, log);

  // What all subjects use: market, transactions, ledger, sessions.
  const market = new HaltableMarket(options.market, db);
  const quoteFill = config.fillAtQuote ?? (market.hasBook ? 2 : 0);
  const transactions = new Transactions({
    db,
    concurrent: database.concurrent,
    exclusively: (work) => market.exclusively(work),
    beforeCommit: market.savePosition,
    timed: measured?.metrics.timeTransaction,
  });
  const actions = new AdminActions(transactions, now);
  const requests = new IdempotentRequests(transactions, now);
  const commands = new CommandLog(config.commandDays, now);
  const ledger = new Ledger(now, log, commands);
  const sessions = new Sessions(db, now, tokenPrefix(shard));
  const keys = await loadKeys(config.data, config.secret);
  const pictures = new Pictures({
    db,
    directory: join(config.data, 'uploads'),
    key: keys('pictures'),
    shard: config.shard?.index,
    now,
  });
  const notifier = await createNotifier(config, clock, log);
  const notices = new UserNotices(notifier);
  const codes = new Codes(db, keys('codes'), now);

  database.onReclaimed(() => {
    transactions.interrupt();
    sessions.forgetAll();
    ledger.forget();
  });

  // HTTP and websocket, which know users by their sessions.
  const authenticate = (token: string) => sessions.authenticate(token);
  const proxies = new Proxies(config.trustProxy, log);
  const relyingParty = createRelyingParty(config, proxies);
  const release = await releaseOf(clientDirectory);
  const http = await createHttp(
    {
      ...config,
      vitalsShare: measured ? config.vitalsShare : 0,
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
  const lossless = config.replay !== '' && config.speed === 'max';
  const sockets = new Sockets({
    market,
    authenticate,
    clock,
    origins: config.origins,
    proxies,
    lossless,
    log,
  });
  sessions.onEnd((ids) => {
    for (const id of ids) sockets.endSession(id);
  });
  http.addHook('preClose', () => sockets.close());

  const authenticateHash = (hash: string) => sessions.authenticateHash(hash);
  const epochs = bus && (await Epochs.open({ next: epochsOf(database), bus, clock, log }));
  // Another engine may have been at work meanwhile.
  database.onReclaimed(() => void epochs?.begin());
  // While its own database is away, too.
  const engineBus = bus && answeringWhile(bus, () => database.isClaimed?.() ?? true);
  const gateways =
    engineBus &&
    epochs &&
    new EngineBus({
      bus: engineBus,
      clock,
      epochs,
      shard,
      divided: shards > 1,
      authenticate: authenticateHash,
    });
  sessions.onEnd((ids) => {
    for (const id of ids) gateways?.endSession(id);
  });
  // With a feed, the market is on the bus already.
  const served =
    bus && epochs && !config.shard ? new MarketServer({ bus, market, clock, epochs }) : undefined;
  const toUser = (userId: number, message: PrivateMessage) => {
    sockets.toUser(userId, message);
    gateways?.toUser(userId, message);
  };

  // The subjects.
  const shared = {
    ...{ db, market, clock, now, log, transactions, actions, requests, ledger, pictures, commands },
  };
  const push = await createPush({
    ...shared,
    key: keys('push'),
    contact: config.complaintEmail,
    anywhere: config.pushAnywhere,
  });
  database.onReclaimed(push.forget);
  sessions.onEnd(push.sessionsEnded);
  const { outbox } = push;
  const alerts = createAlerts({
    ...shared,
    outbox,
    publish: toUser,
  });
  const trading = createTrading({
    ...shared,
    watch: alerts.watch,
    onEnded: (work, orders) => outbox.ordersEnded(work, orders),
    onCorrected: (work, orders) => outbox.ordersCorrected(work, orders),
    feeType,
    quoteFill,
    swap: config.swap,
    limits: new ExposureLimits(config.exposureLimit, shards),
    onEarned: (earned) => measured?.metrics.earned(earned),
    publish(userId, message) {
      if (message.type === 'FOREX_CLOSED') {
        measured?.metrics.orderClosed(message.data.Order.CloseReason);
      }
      toUser(userId, message);
    },
  });
  database.onReclaimed(() => trading.engine.forget());
  // After trading has subscribed to the market: orders are matched before a tick is published.
  // Who follows the market over a bus has gateways for websockets, which know what was missed.
  if (!config.shard) sockets.attach(http.server);
  measured?.metrics.watch({
    market,
    sockets: () => sockets.stats(),
    queues: { changes: () => transactions.waiting, orders: trading.waitingCalls },
    pool: database.pool,
    exposure: trading.exposure,
  });
  const { engine } = trading;
  const available = (work: UnitOfWork, userId: number) => engine.available(work, userId);
  const wallet = createWallet({
    ...shared,
    available,
    codes,
    notices,
    drawVerify: !config.noDrawVerify,
    payoutWait: config.payoutWait,
  });
  const mining = createMining({ ...shared, available });
  trading.onReset((work, userId) => mining.subscriptions.forfeit(work, userId));
  const newsPictures = new NewsPictures({
    directory: join(config.data, 'news'),
    fetch: fetchPicture,
  });
  const news = createNews({ ...shared, pictures: newsPictures });
  // News are the first engine's; a replay has its own days.
  const dailySummary = config.replay === '' && shard === 1 ? createDailySummary(shared) : undefined;
  // An engine of a cluster knows its market by the name of the feed alone.
  const simulated = config.shard
    ? market.feed.startsWith(simulatedSource(''))
    : config.replay === '' && config.live.length === 0;
  // The ranking is the first engine's.
  const strategiesTrade = simulated && !config.noTraders && shard === 1;
  const ranking = createRanking({
    ...shared,
    engine,
    feeType,
    trades: strategiesTrade,
  });
  const otherEngines =
    engineBus &&
    config.shard &&
    new AskedEngines({
      bus: engineBus,
      db,
      shard: config.shard,
      open: openTo(config),
      solve: (id, text) => account.solveCaptcha(id, text),
    });
  const account: Account = createAccount({
    ...shared,
    otherEngines: otherEngines ?? UNDIVIDED,
    sessions,
    notifier,
    codes,
    payoutCodes: wallet.payoutCodes,
    notices,
    relyingParty,
    tokenPrefix: tokenPrefix(shard),
    keys,
    productName: config.title,
    mobile: config.showMobile === 1,
    verifyRegType: config.verifyRegType,
  });
  const admin = createAdmin({
    ...shared,
    directory: config.data,
    publicUrl: config.publicUrl,
    autoReview: !config.noAutoReview,
    queues: [
      account.verifications.reviews,
      wallet.deposits.reviews,
      wallet.withdrawals.reviews,
      mining.redemptions,
    ],
    storePictures: (html) => newsPictures.storeAll(html),
    shard,
    commands: [
      ...account.commands,
      ...trading.commands,
      ...wallet.commands,
      errorsCommand(db, shard),
      replayCommand(database, config),
    ],
  });

  const audits = createAuditTask({
    db,
    every: config.auditEvery,
    clock,
    log,
    onAudited: (differences) => measured?.metrics.audited(differences),
  });

  const errors = new ClientErrors({
    ...{ db, clock, log, release },
    metrics: measured?.metrics,
    maps: await SourceMaps.open(join(clientDirectory, '../maps')),
  });

  const keeping = createCommandKeeping({ db, commands, engine, clock, log });
  // By the clock, because who no longer uses a part of the server would keep its data otherwise.
  const removing = new RepeatedTask({
    ...{ name: 'old data', every: OLD_REMOVED_EVERY_MS, clock, log },
    run: () =>
      inOrder([
        () => pictures.removeOld(),
        () => codes.removeOld(),
        () => outbox.removeOld(db),
        () => requests.answers.removeOld(db),
        () => errors.removeOld(),
        // PostgreSQL beside this process does it by itself. Without, files only grow: the room of deleted rows is never used again.
        () => database.concurrent || db.execute(sql`vacuum`),
      ]),
  });

  // Calls.
  const subjects: readonly Subject[] = [
    trading,
    { ...push, start: () => push.start(engine) },
    { ...alerts, start: () => alerts.start(engine) },
    wallet,
    mining,
    news,
    dailySummary ?? {},
    ranking,
    account,
    createSyncedSettings({ ...shared, publish: toUser }),
    errors,
  ];
  settingsRoutes(http, settingsOf(config, quoteFill), now, relyingParty.isOffered);
  quoteRoutes(http, market);
  companyRoutes(http);
  vitalsRoutes(http, { metrics: measured?.metrics, now });
  clientErrorRoutes(http, { errors, now });
  await uploadRoutes(http, pictures);
  for (const subject of subjects) subject.routes?.(http);
  documentRoutes(http);

  return createLifecycle({
    ...{ config, clock, http, bus, measured, tracing, database },
    stopTimeout: STOP_TIMEOUT_MS,
    notes: notesOf(config, account.brokerInviteCode),
    askDatabase: () => db.execute(sql`select 1`),
    async start() {
      await removeOldReplays(config.data);
      await ledger.prepare(db);
      // The subjects need prices.
      await market.start();
      if (bus) database.renewLease?.(() => market.now());
      for (const subject of subjects) await subject.start?.();
      served?.start();
      otherEngines?.start();
    },
    async opened(port) {
      gateways?.start(config.advertise || ownAddress(config.host, port));
      await admin.start(port);
      if (config.auditEvery > 0) audits.start();
      if (commands.isOn) keeping.start();
      removing.start();
    },
    stop: [
      () => admin.stop(),
      () => audits.stop(),
      () => keeping.stop(),
      () => removing.stop(),
      ...[...subjects].reverse().map((subject) => () => subject.stop?.()),
      () => gateways?.stop(),
      () => served?.stop(),
      () => epochs?.stop(),
      () => market.stop(),
    ],
    // A mail host may be silent for half a minute; a standby waits for the database meanwhile.
    released: () => notifier.close(),
  });
}

/** The engines that new accounts go to. */
function openTo({ shard = WHOLE, newAccounts }: Config): number[] {
  if (newAccounts.length > 0) return newAccounts;
  return Array.from({ length: shard.count }, (_, index) => index + 1);
}

/** Where this machine reaches the server. */
function ownAddress(host: string, port: number): string {
  return addressOf(host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host, port);
}

function settingsOf(config: Config, quoteFill: QuoteFill) {
  return {
    basicInfo: {
      service_link: config.serviceLink,
      service_link_type: config.serviceLink ? config.serviceLinkType : 0,
      verify_reg_type: config.verifyRegType,
      trade_fee_type: config.tradeFeeType,
      features: [...FEATURES],
      draw_verify: config.noDrawVerify ? 0 : 1,
      fill_at_quote: quoteFill,
    },
    status: { status: config.status, type: config.statusType, loss_url: config.lossUrl },
    mobile: config.showMobile === 1,
    complaintEmail: config.complaintEmail,
  };
}

function notesOf(
  { noAutoReview, showMobile, smtpUrl, smsWebhookUrl }: Config,
  inviteCode: string,
): string[] {
  return [
    `Invitation code: ${inviteCode}`,
    smtpUrl
      ? `Mail is sent by ${new URL(smtpUrl).host}.`
      : 'No SMTP_URL: mail, with its codes, is printed here instead of being sent.',
    smsWebhookUrl || showMobile === 0
      ? []
      : 'No SMS_WEBHOOK_URL: text messages, with their codes, are printed here.',
    noAutoReview ? [] : 'What users submit is approved after 30 s; --no-auto-review stops that.',
  ].flat();
}
