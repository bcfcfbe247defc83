import type { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { add, toDecimal, toText } from '#domain/core/decimal';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { AccountSummary, Exits, SeenOrder } from '#domain/worker/trading';
import type { Frame, FramePort, WorkerApi } from '#domain/worker/workerApi';
import { formerParts } from '../../../scripts/lib/formerParts.mjs';
import { createApp } from '../../../server/app';
import { readCommand } from '../../../server/config/config';
import { type Db, migrations } from '../../../server/db/database';
import { migrateDatabase } from '../../../server/db/migrate';
import * as schema from '../../../server/db/schema';
import type { App } from '../../../server/lifecycle';
import { createMarket } from '../../../server/market/createMarket';
import type { Market } from '../../../server/market/market';
import { importAll } from '../../../workers/core/importOnce';
import type { Clock, Logger, Ports, Storage } from '../../../workers/core/ports';
import { createStorage } from '../../../workers/core/storage';
import { createWorkerApi } from '../../../workers/workerApi';
import type { FakeClock } from '../support/fakeClock';

/** What a page asks of its worker here. */
export type PageCalls = Pick<
  WorkerApi,
  | 'start'
  | 'sendFrames'
  | 'watch'
  | 'setVisible'
  | 'signInDemo'
  | 'submit'
  | 'closeOrder'
  | 'closePart'
  | 'cancelOrder'
  | 'setExits'
  | 'reverseOrder'
  | 'orders'
  | 'ordersOf'
  | 'row'
  | 'alerts'
  | 'addAlert'
  | 'refreshOrders'
> & {
  /** Absent in a release that can't. */
  amendOrder?: WorkerApi['amendOrder'];
};

/** A release: its worker, and its server on a database that it migrates. */
export interface Release {
  readonly name: 'former' | 'present';
  readonly createStorage: (logger: Logger, clock: Clock) => Storage;
  createWorker(ports: Ports): PageCalls;
  /** Rejects where a newer release has changed the database. */
  openServer(client: PGlite, clock: FakeClock, directory: string): Promise<OpenServer>;
}

export interface OpenServer {
  readonly url: string;
  readonly market: Pick<Market, 'exclusively'>;
  close(): Promise<void>;
}

type Parts = {
  createApp: typeof createApp;
  readCommand: typeof readCommand;
  createMarket: typeof createMarket;
};

/** Without the traders of the ranking, who are nobody's clients. */
const SETTINGS = ['--port', '0', '--host', '127.0.0.1', '--seed', '1', '--no-traders'];

async function openServer(
  parts: Parts,
  db: Db,
  clock: FakeClock,
  directory: string,
): Promise<OpenServer> {
  const args = [...SETTINGS, '--data', directory, '--no-auto-review', '--trust-proxy', 'loopback'];
  const command = parts.readCommand(args, {});
  if (command.name === 'help') throw new Error('only help');
  const log = { info() {}, warn() {}, error: console.error };
  const market = await parts.createMarket(
    { feeType: 'per-lot', seed: '1', instruments: 3, ticksPerSecond: 0.2, log },
    db,
    clock,
  );
  const app: App = await parts.createApp({
    config: command.config,
    database: { db, onReclaimed() {}, close: async () => {} },
    market,
    clock,
    log,
    clientDirectory: 'none',
  });
  const url = `http://127.0.0.1:${await app.listen()}`;
  return { url, market, close: () => app.close() };
}

await importAll();

export const present: Release = {
  name: 'present',
  createStorage,
  createWorker: createWorkerApi,
  async openServer(client, clock, directory) {
    const drizzled = drizzle(client, { schema });
    const db = drizzled as unknown as Db;
    await migrateDatabase(db, () => migrate(drizzled, migrations));
    return openServer({ createApp, readCommand, createMarket }, db, clock, directory);
  },
};

/** The worker's contract as the former release has it, where that differs. */
interface FormerCalls extends Omit<PageCalls, 'sendFrames' | 'submit' | 'amendOrder'> {
  sendFrames(port: FramePort<Frame & { link?: Frame['connection'] }, number>): void;
  submit(
    ticket: TicketInput & { multiplier: string },
    key: string,
  ): ReturnType<WorkerApi['submit']>;
  closeOrder(order: unknown, key: string): ReturnType<WorkerApi['closeOrder']>;
  closePart(order: unknown, lots: string, key: string): ReturnType<WorkerApi['closePart']>;
  reverseOrder(
    order: unknown,
    quoteSeen: string,
    keys: { close: string; open: string },
  ): ReturnType<WorkerApi['reverseOrder']>;
  setStops(id: number, stops: Exits, key: string): ReturnType<WorkerApi['setExits']>;
}

interface FormerParts extends Parts {
  createStorage: Release['createStorage'];
  createWorkerApi(ports: Ports): FormerCalls;
  databaseOf(client: PGlite): Db;
  importAll: typeof importAll;
}

/** By the names of the present contract. */
function renamed(calls: FormerCalls): PageCalls {
  return {
    ...calls,
    sendFrames: (port) => {
      const own: Parameters<FormerCalls['sendFrames']>[0] = {
        onmessage: null,
        postMessage: ({ link, ...frame }) =>
          port.postMessage({
            ...frame,
            ...(link && { connection: link }),
            ...(frame.account && { account: withMargin(frame.account) }),
          }),
      };
      port.onmessage = (event) => own.onmessage?.(event);
      calls.sendFrames(own);
    },
    submit: (ticket, key) => calls.submit({ ...ticket, multiplier: ticket.leverage }, key),
    closeOrder: ({ id }: SeenOrder, key) => calls.closeOrder(id, key),
    closePart: ({ id }: SeenOrder, lots, key) => calls.closePart(id, lots, key),
    reverseOrder: ({ id }: SeenOrder, quoteSeen, keys) => calls.reverseOrder(id, quoteSeen, keys),
    setExits: (id, exits, key) => calls.setStops(id, exits, key),
  };
}

/** The former release shows the balance without the margin in use. */
function withMargin(account: AccountSummary): AccountSummary {
  const { balance, marginInUse } = account;
  return { ...account, balance: toText(add(toDecimal(balance), toDecimal(marginInUse))) };
}

async function loadFormer(): Promise<Release | undefined> {
  const path = await formerParts();
  if (!path) return undefined;
  const parts: FormerParts = await import(/* @vite-ignore */ path);
  await parts.importAll();
  const migrationsFolder = path.replace(/parts\.js$/, 'migrations');
  return {
    name: 'former',
    createStorage: parts.createStorage,
    createWorker: (ports) => renamed(parts.createWorkerApi(ports)),
    async openServer(client, clock, directory) {
      const db = parts.databaseOf(client);
      await migrate(drizzle(client), { migrationsFolder });
      return openServer(parts, db, clock, directory);
    },
  };
}

/** Undefined where this clone lacks its commit. */
export const former = await loadFormer();
