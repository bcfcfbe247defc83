import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { and, asc, eq, gt } from 'drizzle-orm';
import { expect } from 'vitest';
import type { AnswerOf, CallName, ParamsOf } from '#domain/api/subjects';
import type { AccountSummaryRow, OrderPageRow, OrderRow } from '#domain/api/trading';
import { add, isZero, toDecimal, toFixed, toNumber } from '#domain/core/decimal';
import type { Result } from '#domain/core/result';
import { type Price, toUsd, type Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { TopOfBook } from '#domain/market/topOfBook';
import type { AmendmentInput } from '#domain/trading/amendment';
import type { Order } from '#domain/trading/order';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { AccountSummary, OrderProfit, TicketPreview } from '#domain/worker/trading';
import type { WorkerApi } from '#domain/worker/workerApi';
import type { Db } from '../../../server/db/database';
import { journalEntries, postings } from '../../../server/db/schema';
import { createWorkerApi } from '../../../workers/workerApi';
import { SUMMARY } from '../../workers/support/accountSummary';
import { ScriptedTabs } from '../../workers/support/scriptedTabs';
import { MemoryStorage, paintingPort, Shown, START } from '../../workers/support/testWorker';
import { FakeClock } from '../support/fakeClock';
import { as, PASSWORD, TestServer } from '../support/testServer';
import { formOf, jpeg, upload } from '../uploads/pictures';
import { Machine } from '../week/machine';

/** Longer than the least time between two frames, and shorter than the silence after which a link is stale. */
const STEP = 100;
const SECOND = 1000;
/** Steps after which what has not come does not come. */
const PATIENCE = 100;

/** A movement of a user's available balance in the ledger: its cause, and USD with six decimals. */
export type Movement = [kind: string, amount: string];

/** Six decimals, as the ledger has them. */
const usdText = (amount: Usd) => toFixed(amount, 6);

/** Movements as the ledger has them: those of nothing are left out. */
export const movements = (...all: (readonly [string, Usd] | undefined)[]): Movement[] =>
  all.flatMap((each): Movement[] =>
    each && !isZero(each[1]) ? [[each[0], usdText(each[1])]] : [],
  );

/** The worker of a real user's page and the real server, whose market stands still between two ticks of the test. */
export class Client {
  readonly shown = new Shown();
  readonly workerApi: WorkerApi;
  readonly server: TestServer;
  readonly db: Db;
  private readonly machine: Machine;
  private readonly clock: FakeClock;
  private token = '';
  private userId = 0;
  private lastPosting = 0;

  private constructor(server: TestServer, db: Db, clock: FakeClock) {
    this.server = server;
    this.db = db;
    this.clock = clock;
    const machine = new Machine(clock);
    this.machine = machine;
    this.workerApi = createWorkerApi({
      clock: machine,
      random: () => 0.5,
      openSocket: machine.openSocket,
      storage: new MemoryStorage(),
      logger: { log() {}, warn: (message, detail) => expect.fail(`${message} ${detail}`) },
      adapter: machine.adapter,
      ...new ScriptedTabs().open(),
      stopwatch: machine.now,
    });
  }

  static async open(db: Db, instruments: Instrument[], args: string[]): Promise<Client> {
    const clock = new FakeClock();
    const unlimited = ['--requests-per-minute', '0', '--no-draw-verify', '--no-traders', '--swap'];
    const server = await TestServer.open(db, { clock, instruments, args: [...unlimited, ...args] });
    const client = new Client(server, db, clock);
    await client.start();
    return client;
  }

  close(): Promise<void> {
    this.machine.changeNetwork();
    return this.server.close();
  }

  private async start(): Promise<void> {
    const { workerApi, server } = this;
    const account = `${randomUUID()}@example.com`;
    const { token, user } = await server.realUser(account);
    this.token = token;
    this.userId = user.id;
    workerApi.watch({ account: true });
    workerApi.sendFrames(paintingPort((frame) => this.shown.apply(frame)));
    const page = { origin: server.url, title: 'Fulcrum', fallbackHost: '', domains: [] };
    workerApi.start({ ...START, page, version: '' });
    await this.done(workerApi.signIn({ login_type: 'email', account, password: PASSWORD }));
    await this.settled();
  }

  /** Lets time pass, in steps after which nothing is in flight. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 5 * SECOND) await this.step(Math.min(left, 5 * SECOND));
  }

  private async step(ms = STEP): Promise<void> {
    const { machine, clock, server } = this;
    await clock.advance(ms, () => machine.inFlight === 0);
    await server.market.exclusively(() => {});
    await machine.flushed();
    while (machine.inFlight > 0) await turn();
  }

  /** The result of a call of the page, which has to succeed. */
  async done<T>(call: Promise<Result<T>>): Promise<T> {
    let result: Result<T> | undefined;
    void call.then((found) => {
      result = found;
    });
    for (let tries = 0; !result && tries < PATIENCE; tries++) await this.step(0);
    if (!result?.ok) throw new Error(JSON.stringify(result?.failure ?? 'never answered'));
    return result.data;
  }

  /** The answer of a declared call, which has to succeed. */
  api<Name extends CallName>(
    name: Name,
    params: ParamsOf<Name>,
  ): Promise<AnswerOf<Name> extends Result<infer T> ? T : never> {
    return this.done(this.workerApi.api(name, params, { key: randomUUID() })) as Promise<never>;
  }

  /** Moves the price of an instrument, and waits until the page has it. */
  async tick(instrumentId: number, price: Price, book?: TopOfBook): Promise<void> {
    await this.server.market.tick([instrumentId, toNumber(price), 1, book]);
    await this.settled();
  }

  /**
   * Waits until the page shows the account as the server has it, to the last digit (domain.md#account-summary): margin in
   * use, frozen, available, and the balance that it computes.
   */
  async settled(): Promise<AccountSummary> {
    for (let tries = 0; ; tries++) {
      await this.step();
      const summary = await this.ask<AccountSummaryRow>('/v1/api/main/account/forexDetail');
      const { account } = this.shown;
      const shown = account && {
        ...Object.fromEntries(
          Object.keys(SUMMARY).map((mine) => [mine, exact(account[mine as Figure])]),
        ),
        balance: exact(account.balance),
        riskRate: account.riskRate ?? '--',
        marginLevel: account.marginLevel ?? '--',
      };
      const known = {
        ...Object.fromEntries(
          Object.entries(SUMMARY).map(([mine, name]) => [mine, exact(summary[name])]),
        ),
        balance: usdText(add(toUsd(summary.balance), toUsd(summary.caution_money))),
        riskRate: summary.risk_rate,
        marginLevel: summary.prepayment_ratio,
      };
      if (account && JSON.stringify(shown) === JSON.stringify(known)) return account;
      if (tries === PATIENCE) expect(shown).toEqual(known);
    }
  }

  /** What the ticket would do, as its page shows it. */
  async preview(input: TicketInput): Promise<TicketPreview> {
    this.shown.ticket = undefined;
    this.workerApi.setTicket(input);
    // The terms of the broker come later the first time.
    return this.next(() => (this.shown.ticket?.maxLots ? this.shown.ticket : undefined));
  }

  /** What the reversal of a position would open. */
  async reversalPreview(id: number): Promise<TicketPreview> {
    this.shown.change = undefined;
    this.workerApi.setChange({ id });
    return this.next(() => (this.shown.change?.margin ? this.shown.change : undefined));
  }

  /** What other terms of a pending order would make of it. */
  async amendmentPreview(id: number, terms: AmendmentInput): Promise<TicketPreview> {
    this.shown.change = undefined;
    this.workerApi.setChange({ id, terms });
    return this.next(() => (this.shown.change?.margin ? this.shown.change : undefined));
  }

  /** The live profit of a position, as the sheet that closes it watches it. */
  async profit({ id, instrumentId }: Order): Promise<OrderProfit> {
    this.shown.profits.delete(id);
    this.workerApi.watchTopsOfBook({ add: [instrumentId], remove: [] }, 'both');
    this.workerApi.watchOrders({ add: [id], remove: [] });
    // The book comes with a later frame than the profit.
    await this.step();
    await this.step();
    const found = await this.next(() => this.shown.profits.get(id));
    this.workerApi.watchOrders({ add: [], remove: [id] });
    this.workerApi.watchTopsOfBook({ add: [], remove: [instrumentId] }, 'both');
    return found;
  }

  private async next<T>(shown: () => T | undefined): Promise<T> {
    for (let tries = 0; tries < PATIENCE; tries++) {
      await this.step();
      const found = shown();
      if (found) return found;
    }
    return expect.fail('never shown');
  }

  /** An open order as the page has it. */
  order(id: number): Order | undefined {
    const { instruments } = this.server.market;
    return instruments
      .flatMap((listed) => this.workerApi.ordersOf(listed.id))
      .find((order) => order.id === id);
  }

  /** An order as the server sends it. */
  async row(status: 0 | 1 | 3, id: number): Promise<OrderRow> {
    const row = (await this.rows(status)).find(({ Id }) => Id === id);
    return row ?? expect.fail(`no order ${id} of status ${status}`);
  }

  async rows(status: 0 | 1 | 3): Promise<OrderRow[]> {
    return (await this.page(status)).data;
  }

  page(status: 0 | 1 | 3): Promise<OrderPageRow> {
    return this.ask(`/v1/api/forex/my_deal?status=${status}&limit=500`);
  }

  /** What the ledger has moved of the available balance since the last call: for one order, or in all. */
  async booked(orderId?: number): Promise<Movement[]> {
    const own = and(eq(postings.owner, this.userId), eq(postings.kind, 'available'));
    const rows = await this.db
      .select({
        id: postings.id,
        kind: journalEntries.kind,
        orderId: journalEntries.orderId,
        amount: postings.amount,
      })
      .from(postings)
      .innerJoin(journalEntries, eq(journalEntries.id, postings.entryId))
      .where(and(own, gt(postings.id, this.lastPosting)))
      .orderBy(asc(postings.id));
    this.lastPosting = rows.at(-1)?.id ?? this.lastPosting;
    return rows
      .filter((row) => orderId === undefined || row.orderId === orderId)
      .map(({ kind, amount }) => [kind, exact(amount)]);
  }

  /** The address of a new picture as proof of a deposit. */
  async picture(width: number): Promise<string> {
    const { data } = await upload(this.server.url, this.token, formOf(await jpeg(width, 100)));
    return data.url;
  }

  /** Asks the server directly, not through the client. */
  private async ask<T>(path: string): Promise<T> {
    const { code, msg, data } = await this.server.get(path, as(this.token));
    if (code !== 1) throw new Error(`${path}: ${code} ${msg}`);
    return data;
  }
}

type Figure = keyof typeof SUMMARY;

const exact = (text: string) => toFixed(toDecimal(text), 6);
