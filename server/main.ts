import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toDurationMs } from '#domain/core/time';
import { toFeeType } from '#domain/trading/margin';
import { createApp } from './app';
import type { Bus } from './cluster/bus';
import { BadUsage, type Config, readCommand, usage } from './config/config';
import { type Clock, systemClock } from './core/clock';
import type { Log } from './core/log';
import { SteadyClock } from './core/steadyClock';
import type { Tracing } from './core/trace';
import type { Database, Db } from './db/database';
import { openDatabase } from './db/open';
import { pageAddresses } from './http/pageAddresses';
import { runAudit } from './ledger/auditCommand';
import type { App } from './lifecycle';
import { createMarket } from './market/createMarket';
import type { Market } from './market/market';
import { priceLimits } from './market/priceLimits';
import { replaySource } from './market/replay/sample';
import { type OpenMetrics, openMetrics } from './metrics/openMetrics';
import { openTracing } from './tracing/openTracing';

const CLIENT = join(dirname(fileURLToPath(import.meta.url)), '../client');

async function main(): Promise<void> {
  // Files of the server are accessible only to its own user.
  process.umask(0o077);
  const command = readCommand(process.argv.slice(2), process.env);
  if (command.name === 'help') console.log(usage());
  else if (command.name === 'audit') {
    process.exitCode = await runAudit(databaseOf(command.config), console.log);
  } else if (command.name === 'backup') {
    const { backUp } = await import('./db/backup');
    await backUp(command.config.data, command.file);
    console.log(`The database is in ${command.file}.`);
  } else if (command.name === 'restore') {
    const { restore } = await import('./db/backup');
    const former = await restore(command.config.data, command.file);
    console.log(`The database is that of ${command.file}.`);
    if (former) console.log(`The former one is in ${former}.`);
  } else if (command.name === 'record') await record(command.config);
  else if (command.name === 'try-limits') {
    const { runTrial } = await import('./market/trial/trialCommand');
    await runTrial(command.config, systemClock.now(), console.log);
  } else await serve(command.config, command.warnings);
}

async function record(config: Config): Promise<void> {
  const { Recorder } = await import('./market/live/recorder');
  const { live, codes, liveWs, liveRest, to, raw } = config;
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    if (config.for > 0) systemClock.after(toDurationMs(config.for * 1000), resolve);
  });
  const recorder = await Recorder.open(
    { exchanges: live, codes, websocket: liveWs, rest: liveRest, to, raw },
    systemClock,
    await createLog(config),
  );
  recorder.start();
  await ended;
  recorder.stop();
  process.exit(0);
}

async function serve(config: Config, warnings: readonly string[]): Promise<void> {
  // Register first: a signal during the start would otherwise leave the lock in place.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        // A second signal ends the process immediately.
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
  // A standby, a gateway and a shard wait for others, maybe for ever: a signal ends one that waits at once, one that serves below.
  let waits = config.standby || config.role === 'gateway' || config.shard !== undefined;
  void stopped.then(() => {
    if (waits) process.exit(0);
  });
  const lines = await createLog(config);
  for (const warning of warnings) lines.warn(warning);
  const held: Parameters<NonNullable<Log['event']>>[] = [];
  // People see the address first, or why there is none.
  const log: Log =
    config.log === 'json' ? lines : { ...lines, event: (...event) => held.push(event) };
  const app = await open(config, log);
  try {
    // People read it once, without times before an address or a picture.
    const print = config.log === 'json' ? log.info : console.info;
    const port = await app.listen();
    waits = false;
    await announce(config, port, print);
    for (const note of app.notes) print(note);
    log.event = lines.event;
    for (const event of held) lines.event?.(...event);
    await stopped;
  } catch (error) {
    // What has failed is told, not what fails after it.
    await app.close().catch(() => {});
    throw error;
  }
  await app.close();
  process.exit(0);
}

async function createLog({ log }: Config): Promise<Log> {
  const { createJsonLog, createTextLog } = await import('./log/formats');
  return log === 'json' ? createJsonLog() : createTextLog();
}

async function open(config: Config, log: Log): Promise<App> {
  const clock = systemClock;
  const tracing = await openTracing(config, log);
  const bus = config.bus ? await openBus(config, log, tracing) : undefined;
  if (bus && config.role === 'gateway') {
    const { createGateway } = await import('./gatewayApp');
    return createGateway({
      config,
      bus,
      tracing,
      clock,
      log,
      clientDirectory: CLIENT,
      onOtherMarket: failOnOtherMarket,
    });
  }
  const database = await openWhenFree(config, log);
  const { replay, speed, replayWait, seed, instruments, ticksPerSecond } = config;
  const { live, codes, liveWs, liveRest, quoteAge, fillAtQuote } = config;
  const limits = priceLimits(config);
  try {
    const options = {
      seed,
      instruments,
      ticksPerSecond,
      feeType: toFeeType(config.tradeFeeType),
      hasBook: fillAtQuote !== 0,
      replay: replay ? { ...replaySource(replay), speed, wait: replayWait, limits } : undefined,
      live:
        live.length > 0
          ? {
              ...{ exchanges: live, codes, websocket: liveWs, rest: liveRest, quoteAge },
              fillsAtQuote: fillAtQuote === 1,
              limits,
            }
          : undefined,
      log,
    };
    const market =
      bus && config.shard
        ? await marketOfFeed(config, bus, database.db, clock, log)
        : await createMarket(options, database.db, clock);
    if (bus && config.role === 'feed') {
      const { createFeed } = await import('./feedApp');
      return await createFeed({ config, database, market, bus, tracing, clock, log });
    }
    return await createApp({
      config,
      database,
      market,
      bus,
      tracing,
      clock,
      log,
      clientDirectory: CLIENT,
    });
  } catch (error) {
    await database.close().catch(() => {});
    throw error;
  }
}

/** Waits until a feed answers. */
async function marketOfFeed(
  { title }: Config,
  bus: Bus,
  db: Db,
  clock: Clock,
  log: Log,
): Promise<Market> {
  const [{ BusMarket }, { whenAnswered }] = await Promise.all([
    import('./cluster/busMarket'),
    import('./cluster/whenAnswered'),
  ]);
  const steady = new SteadyClock(clock);
  return whenAnswered('a feed', { clock, log }, () =>
    BusMarket.open({
      bus,
      db,
      clock: steady,
      log,
      name: title,
      // Listeners learn of it with the snapshot.
      onGap() {},
      onOtherMarket: failOnOtherMarket,
    }),
  );
}

function failOnOtherMarket(): never {
  return fail(new Error('The feed has another market now. Start again.'));
}

async function openBus(
  { bus, role }: Config,
  log: Log,
  tracing: Tracing | undefined,
): Promise<Bus> {
  const { NatsBus } = await import('./cluster/natsBus');
  return NatsBus.open(bus, `fulcrum ${role}`, log, tracing, fail);
}

/**
 * Seconds of silence after which a standby takes the database. An engine may be busy for longer than a feed, whose silence
 * closes all prices (D129).
 */
const LEASES: Partial<Record<Config['role'], number>> = { feed: 3, engine: 8 };
const STANDBY_RETRY_MS = toDurationMs(500);

/** The database; with --standby it waits until no other server has it. */
async function openWhenFree(config: Config, log: Log): Promise<Database> {
  let waiting: OpenMetrics | undefined;
  try {
    for (let told = false; ; told = true) {
      try {
        const { [config.role]: lease } = LEASES;
        const claim = { clock: systemClock, log, taken: fail, damaged: fail, lease };
        return await openDatabase({ ...databaseOf(config), claim });
      } catch (error) {
        if (!config.standby || (error as Error).name !== 'DatabaseInUse') throw error;
        if (!told) {
          log.info('Standing by: another server has the database.');
          // To Prometheus, a standby that is silent would be one that has ended.
          waiting = await openMetrics(config, systemClock, log);
          // Its port may still be that of the process at work.
          await waiting?.listen().catch((error: Error) => log.warn(`Metrics: ${error.message}`));
        }
        await new Promise<void>((resolve) => void systemClock.after(STANDBY_RETRY_MS, resolve));
      }
    }
  } finally {
    await waiting?.close();
  }
}

function databaseOf({ databaseUrl, data }: Config) {
  return { url: databaseUrl, directory: data };
}

/** Scripts wait for the first line. */
async function announce(
  { host, trustProxy }: Config,
  port: number,
  print: (text: string) => void,
): Promise<void> {
  const { own, network } = pageAddresses(host, port, networkInterfaces());
  print(`Fulcrum: ${own}`);
  for (const address of network) print(`On your network: ${address}`);
  const [phone] = network;
  if (phone === undefined) {
    // Behind a proxy it would let phones past it; who runs the bundle by itself serves no phone of the network.
    if (trustProxy.length === 0 && process.env['npm_lifecycle_event'] === 'start')
      print('For a phone on your network: npm start -- --host');
    // A log file has no use for a picture.
  } else if (process.stdout.isTTY) print((await import('./http/qrCode')).qrCode(phone));
}

/** An error that the operator can fix is one sentence; a programming error shows its stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port, address } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Stop what uses it, or choose another one with --port.`;
  }
  if (code === 'EACCES' && port !== undefined) {
    return `Port ${port} needs more rights. Choose one above 1023 with --port.`;
  }
  if (code === 'EADDRNOTAVAIL') {
    return `${address} is no address of this machine. Choose another one with --host.`;
  }
  const ours = error instanceof TypeError || error instanceof ReferenceError;
  return ours ? (error.stack ?? error.message) : error.message;
}

function fail(error: unknown): never {
  console.error(`Fulcrum: ${explain(error)}`);
  if (error instanceof BadUsage) console.error('See --help.');
  process.exit(error instanceof BadUsage ? 2 : 1);
}

// Not awaited: a chunk that is loaded later waits for this module.
void main().catch(fail);
