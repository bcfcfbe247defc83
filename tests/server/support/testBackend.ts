import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { UnixMs } from '#domain/core/time';
import { toUsd, type Usd } from '#domain/core/units';
import { Codes } from '../../../server/account/codes/codes';
import { demoAccount } from '../../../server/account/demo';
import { AttemptLimits } from '../../../server/account/limits/attemptLimits';
import { UNDIVIDED } from '../../../server/account/otherEngines';
import { Sessions } from '../../../server/account/sessions';
import { insertUser } from '../../../server/account/users';
import { AdminActions } from '../../../server/admin/actions';
import { CommandLog } from '../../../server/commands/commandLog';
import { systemClock } from '../../../server/core/clock';
import type { Db } from '../../../server/db/database';
import { pictures } from '../../../server/db/schema';
import { Transactions, type UnitOfWork } from '../../../server/db/transactions';
import { IdempotentRequests } from '../../../server/idempotency/idempotentRequests';
import { audit } from '../../../server/ledger/audit';
import { Ledger } from '../../../server/ledger/ledger';
import { UserNotices } from '../../../server/notify/userNotices';
import { ExposureLimits } from '../../../server/trading/exposureLimits';
import { noWatch } from '../../../server/trading/tickWatch';
import { createTrading, type Trading } from '../../../server/trading/trading';
import { Pictures } from '../../../server/uploads/pictures';
import { depositEntry } from '../../../server/wallet/entries';
import { serve } from '../http/testHttp';
import { FakeClock } from './fakeClock';
import { instrument } from './scriptedMarket';
import { SerialMarket } from './serialMarket';
import { emptyTables } from './tables';

/** What a subject of the server needs, on a real database and a clock that the test moves. */
export interface BackendParts {
  db: Db;
  clock: FakeClock;
  market: SerialMarket;
  transactions: Transactions;
  actions: AdminActions;
  requests: IdempotentRequests;
  ledger: Ledger;
  trading: Trading;
  pictures: Pictures;
  now(): UnixMs;
  available(work: UnitOfWork, userId: number): Promise<Usd>;
  codes: Codes;
  notices: UserNotices;
  /** Payouts need no code and wait for nothing, unless a test says so. */
  drawVerify: boolean;
  payoutWait: number;
}

export interface Envelope {
  code: number;
  msg: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every call
  data: any;
}

/** A user with a session. */
export interface TestUser {
  id: number;
  get(path: string, params?: Record<string, string | number>, key?: string): Promise<Envelope>;
  post(path: string, params?: Record<string, string | number>, key?: string): Promise<Envelope>;
  /** `[available, frozen]` as they are sent. */
  balance(): Promise<[string, string]>;
}

/** Starts these parts on emptied tables, with trading and what `register` adds over HTTP. */
export async function startBackend(
  db: Db,
  register: (app: FastifyInstance, parts: BackendParts) => void = () => {},
) {
  await emptyTables(db);
  const clock = new FakeClock();
  const now = () => clock.now();
  const market = new SerialMarket([instrument(1, 'EURUSD'), instrument(2, 'BTCUSD')]);
  const ledger = new Ledger(now);
  const transactions = new Transactions({
    db,
    exclusively: (work) => market.exclusively(work),
    beforeCommit: () => market.savePosition(),
  });
  const actions = new AdminActions(transactions, now);
  const requests = new IdempotentRequests(transactions, now);
  const log = { info() {}, warn() {}, error: (text: string) => console.error(text) };
  const trading = createTrading({
    db,
    market,
    transactions,
    actions,
    requests,
    ledger,
    commands: new CommandLog(0, now),
    clock,
    feeType: 'per-lot',
    quoteFill: 0,
    swap: false,
    limits: new ExposureLimits(new Map()),
    log,
    watch: noWatch,
    onEnded: async () => {},
    onCorrected: async () => {},
    onEarned: () => {},
    publish: () => {},
  });
  await ledger.prepare(db);
  await trading.start();
  const available = (work: UnitOfWork, userId: number) => trading.engine.available(work, userId);
  const albums = new Pictures({ db, directory: '', key: randomBytes(32), now });
  const parts = {
    db,
    clock,
    market,
    transactions,
    actions,
    requests,
    ledger,
    trading,
    pictures: albums,
    now,
    available,
    codes: new Codes(db, randomBytes(32), now),
    notices: new UserNotices({ send: () => {} }),
    drawVerify: false,
    payoutWait: 0,
  };
  // The test's clock may run for years, but sessions must not expire.
  const sessions = new Sessions(db, systemClock.now);
  const { url, app } = await serve(
    (http) => {
      trading.routes(http);
      register(http, parts);
    },
    {},
    (token) => sessions.authenticate(token),
  );

  async function signIn(id: number): Promise<TestUser> {
    const authorization = await transactions.run((job) =>
      sessions.open(job, id, { device: '', language: 'en' }),
    );
    const call = async (path: string, init: RequestInit, key?: string): Promise<Envelope> => {
      const headers = { authorization, lang: 'en', ...(key ? { 'idempotency-key': key } : {}) };
      const answer = await fetch(`${url}${path}`, { ...init, headers });
      return (await answer.json()) as Envelope;
    };
    const encode = (params: Record<string, string | number>) =>
      new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]));
    const get: TestUser['get'] = (path, params = {}, key) =>
      call(`${path}?${encode(params)}`, {}, key);
    return {
      id,
      get,
      post: (path, params = {}, key) => call(path, { method: 'POST', body: encode(params) }, key),
      async balance() {
        const { data } = await get('/v1/api/main/wallet/getBalance');
        return [data.balance, data.lock_balance];
      },
    };
  }

  return {
    ...parts,
    url,
    close: () => app.close(),
    /** Creates a real user with this balance. */
    async user(balance = '0'): Promise<TestUser> {
      const user = await transactions.run(async (work) => {
        const added = await insertUser(work, { isDemo: false, createdAt: new Date(now()) });
        await ledger.open(work.tx, added.id);
        await ledger.post(work, [depositEntry(added.id, 0, toUsd(balance))]);
        return added;
      });
      return signIn(user.id);
    },
    async demo(): Promise<TestUser> {
      const user = await demoAccount(
        { db, ledger, limits: new AttemptLimits(now), otherEngines: UNDIVIDED, now },
        randomUUID(),
        '127.0.0.1',
      );
      return signIn(user.id);
    },
    /** The address of a picture that the user has uploaded; each is another one unless `file` is given. */
    async picture(userId: number, file: string = randomUUID()): Promise<string> {
      const id = randomBytes(16).toString('base64url');
      const createdAt = new Date(now());
      await db.insert(pictures).values({ id, ownerId: userId, hash: file, createdAt });
      return albums.sign(id, url);
    },
    audit: () => audit(db),
  };
}

export type TestBackend = Awaited<ReturnType<typeof startBackend>>;
