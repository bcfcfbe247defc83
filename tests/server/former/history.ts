import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { expect, vi } from 'vitest';
import type { InstrumentRow } from '#domain/api/market';
import { parse } from '#domain/api/schema';
import { accountSummary, orderList } from '#domain/api/trading';
import type { SessionRow } from '#domain/api/user';
import { multiply, toDecimal, toText } from '#domain/core/decimal';
import type { Result } from '#domain/core/result';
import { toUnixMs } from '#domain/core/time';
import { accountBalance } from '#domain/trading/accountSummary';
import type { Order, OrderStatus } from '#domain/trading/order';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { UnansweredRequest } from '#domain/worker/requests';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { scriptedKeyRange } from '../../workers/support/scriptedIndexedDb';
import { TICKET } from '../../workers/support/ticket';
import { dataDirectory } from '../support/dataDirectory';
import { FakeClock } from '../support/fakeClock';
import { orderText } from '../support/orderText';
import { type Address, Browser, indexedDb, type Page } from './browser';
import type { OpenServer, Release } from './releases';

/** A Tuesday, when the markets are open. */
const BEGIN = Date.UTC(2026, 0, 6, 10);
/** What servers send is waited for so often, ms. */
const STEP = 500;
/** How long users act, ms. */
const ACTING = 30_000;
/** An order may be executed for five seconds after it was confirmed; what a page knows of the server's clock is off by its latency. */
const LATEST = 5_000 + 1_000;
const LIST = '/v1/api/forex/trade_list';
const STATUSES = { pending: 0, holding: 1, closed: 3 } as const;

const ACTIONS = [
  ...['buy', 'buy', 'sell', 'target', 'target', 'close', 'part', 'cancel'],
  ...['exits', 'amend', 'reverse', 'alert'],
] as const;
type Action = (typeof ACTIONS)[number];
/** What a worker calls the requests of an action. */
const KINDS: Readonly<Record<Action, readonly string[]>> = {
  buy: ['submit'],
  sell: ['submit'],
  target: ['submit'],
  close: ['close'],
  part: ['close'],
  cancel: ['cancel'],
  exits: ['stops'],
  amend: ['amend'],
  reverse: ['reverse', 'opposite'],
  alert: ['alert'],
};
const BOOKED = 'orders booked';
const OPENING: ReadonlySet<Action> = new Set(['buy', 'sell', 'target']);

/** How an action ended, as its page was told. */
type Outcome = 'done' | 'not done' | 'unknown' | 'page gone';

interface Asked {
  what: Action;
  /** When, Unix ms. */
  at: number;
  outcome: Outcome | undefined;
  /** Of a reversal: that of the opposite order. */
  open?: string;
  /** Of an alert. */
  price?: string;
  /** The servers that there had been when it was asked, and when the outcome was known. */
  begun: number;
  epoch: number;
}

/** A user of one browser, with what was asked for by key. */
interface User {
  seed: number;
  browser: Browser;
  random: SeededRandom;
  token: string;
  asked: Map<string, Asked>;
  /** Id of the account. */
  id: number;
  /** Levels of the alerts that were set. */
  alerts: number;
}

interface Told {
  orders: number;
  happened: Record<string, number>;
}

/** Kept for all histories of this process: making a database takes seconds. */
let kept: PGlite | undefined;

/**
 * Some users, each drawn from a seed, while the server of the former release is replaced by the present one, and sometimes taken back with
 * the backup that was made before. Their pages are reloaded into either release, with calls in flight.
 */
export class History {
  readonly #releases: Record<Release['name'], Release>;
  readonly #clock = new FakeClock(toUnixMs(BEGIN));
  readonly #random: SeededRandom;
  readonly #address: Address = { url: '', epoch: 0 };
  readonly #directory = dataDirectory();
  readonly #users: User[];
  readonly #happened = new Map<string, number>();
  readonly #isTakenBack: boolean;
  #client: PGlite | undefined;
  #backup: Blob | undefined;
  #server: OpenServer | undefined;
  /** Questions to the server that are no page's. */
  #asking = 0;
  #flushedAt = 0;
  /** The number of servers at which the backup was restored. */
  #restoredAt: number | undefined;

  constructor(former: Release, present: Release, seeds: readonly number[]) {
    this.#releases = { former, present };
    this.#random = new SeededRandom((seeds[0] ?? 0) ^ 0x0f0f);
    this.#isTakenBack = this.#random.chance(0.4);
    vi.stubGlobal('indexedDB', indexedDb);
    vi.stubGlobal('IDBKeyRange', scriptedKeyRange);
    this.#users = seeds.map((seed, index) => {
      const random = new SeededRandom(seed);
      return {
        seed,
        random,
        browser: new Browser(this.#clock, random, this.#address, `10.0.0.${index + 1}`),
        token: '',
        asked: new Map(),
        id: 0,
        alerts: 0,
      };
    });
  }

  async run(): Promise<Told> {
    this.#client = kept ??= await PGlite.create('memory://');
    await kept.exec(
      'drop schema if exists drizzle cascade; drop schema public cascade; create schema public',
    );
    await this.#serve('former');
    await this.#drive(this.#users.map((user) => this.#begin(user)));
    const servers = this.#servers();
    const ends = servers.filter(({ ends }) => ends).map(({ at }) => at);
    const moments = [...servers, ...this.#users.flatMap((user) => this.#life(user, ends))];
    moments.sort((a, b) => a.at - b.at);
    const begin = this.#clock.now();
    for (const { at, happen } of moments) {
      await this.#pass(Math.max(0, begin + at - this.#clock.now()));
      await happen();
    }
    await this.#pass(Math.max(0, begin + ACTING - this.#clock.now()));
    await this.#drive(this.#users.map((user) => this.#end(user)));
    await this.#drive(this.#users.map((user) => this.#compare(user)));
    await this.#stopServing();
    if (this.#client !== kept) await this.#client?.close();
    return this.#told();
  }

  /** The server of another release takes its place, after a while in which none serves. */
  #servers() {
    const random = this.#random;
    const first = random.between(6_000, this.#isTakenBack ? 12_000 : 24_000);
    const replace = (at: number, last: () => Promise<void>, next: () => Promise<void>) => [
      { at, happen: last, ends: true },
      { at: at + random.between(100, 4_000), happen: next, ends: false },
    ];
    const upgrade = replace(
      first,
      async () => {
        await this.#stopServing();
        if (this.#isTakenBack) this.#backup = await this.#client?.dumpDataDir('none');
      },
      () => this.#serve('present'),
    );
    if (!this.#isTakenBack) return upgrade;
    const back = replace(
      first + random.between(5_000, 14_000),
      () => this.#stopServing(),
      async () => {
        this.#client = await PGlite.create({ loadDataDir: this.#backup as Blob });
        this.#count('taken back');
        this.#restoredAt = this.#address.epoch + 1;
        await this.#serve('former');
      },
    );
    return [...upgrade, ...back];
  }

  async #serve(name: Release['name']): Promise<void> {
    const release = this.#releases[name];
    this.#server = await release.openServer(this.#client as PGlite, this.#clock, this.#directory);
    this.#address.url = this.#server.url;
    this.#address.epoch += 1;
  }

  async #stopServing(): Promise<void> {
    for (const user of this.#users)
      this.#count('calls in flight as a server ended', this.#inFlight(user));
    this.#address.url = '';
    this.#address.epoch += 0.5;
    const closing = this.#server?.close();
    this.#server = undefined;
    await closing;
  }

  /** The user's first page, in either release, with some orders. */
  async #begin(user: User): Promise<void> {
    const { browser, random } = user;
    const page = this.#open(browser, random);
    const signedIn = await page.run(() => page.calls.signInDemo());
    expect(signedIn.ok, JSON.stringify(signedIn)).toBe(true);
    const [{ Code: code = '' } = {}] = await this.#ask<InstrumentRow[]>(LIST);
    const isReady = () =>
      page.seen.user &&
      page.seen.state === 'live' &&
      page.run(() => page.calls.row(code))?.quote.close;
    await this.#until(isReady, `SEED=${user.seed}: never live`);
    user.id = page.seen.user?.id ?? 0;
    const demo = await browser.database('fulcrum').stored?.get('demo-id');
    const session = `/api/user/createAccountDemoForU?demo_id=${demo}`;
    user.token = (await this.#ask<SessionRow>(session)).token;
    for (const what of ['buy', 'sell', 'target', 'target'] as const)
      await this.#act(user, page, what);
    expect([...user.asked.values()].map(({ outcome }) => outcome)).toContain('done');
  }

  #open(browser: Browser, random: SeededRandom): Page {
    const name = random.pick(['former', 'present'] as const);
    this.#count(`pages of the ${name} release`);
    return browser.open(this.#releases[name]);
  }

  /** What a user does, and what happens to the browser: much of it as a server ends, or a call is in flight. */
  #life(user: User, ends: readonly number[]) {
    const { random, browser } = user;
    const moments: { at: number; happen: () => void }[] = [];
    const during = (near: readonly number[], before: number, after: number) =>
      random.chance(0.5)
        ? random.between(500, ACTING - 500)
        : random.pick(near) + random.between(-before, after);
    const add = (at: number, happen: () => void) => moments.push({ at, happen });
    const actions = Array.from({ length: random.between(8, 16) }, () => during(ends, 800, 300));
    for (const at of actions) {
      const what = random.pick(ACTIONS);
      add(at, () => {
        const able = browser.pages.filter(({ seen, runs }) => seen.user && runs);
        if (able.length > 0) void this.#act(user, random.pick(able), what);
      });
    }
    for (let count = random.between(1, 4); count > 0; count--) {
      const at = during(actions, 0, 700);
      // Another tab beside it, or the page again.
      add(at, () => {
        if (random.chance(0.3) && browser.pages.length < 2) this.#open(browser, random);
        else {
          const [page] = browser.pages;
          if (page) browser.discard(page);
          this.#count('reloads');
          this.#count('calls in flight as a page was left', this.#inFlight(user));
          this.#clock.after(random.between(0, 1_500), () => this.#open(browser, random));
        }
      });
    }
    for (let count = random.between(1, 4); count > 0; count--) {
      const at = during(actions, 500, 0);
      const loses = random.pick(['request', 'reply', 'reply'] as const);
      add(at, () => {
        browser.loses = loses;
      });
      add(at + random.between(1_000, 7_000), () => {
        browser.loses = undefined;
      });
    }
    return moments;
  }

  #inFlight({ asked }: User): number {
    return [...asked.values()].filter(({ outcome }) => outcome === undefined).length;
  }

  async #act(user: User, page: Page, what: Action): Promise<void> {
    const { random } = user;
    const key = uuid(random);
    const begun = this.#address.epoch;
    const asked: Asked = {
      what,
      at: this.#clock.now(),
      outcome: undefined,
      begun,
      epoch: begun,
    };
    const call = page.run(() => this.#call(user, page, what, key, asked));
    if (!call) return;
    user.asked.set(key, asked);
    const result = await Promise.race([call, page.gone.then(() => undefined)]);
    asked.epoch = this.#address.epoch;
    // A call that failed before it was sent, or that the former server does not have, is not done either: #compare sees it.
    if (!result) asked.outcome = 'page gone';
    else if (result.ok) asked.outcome = 'done';
    else asked.outcome = result.failure.kind === 'unanswered' ? 'unknown' : 'not done';
    this.#count(asked.outcome);
  }

  /** Undefined where the page shows nothing that it could be done to. */
  #call(user: User, page: Page, what: Action, key: string, asked: Asked) {
    const { random } = user;
    const { calls } = page;
    const own = [1, 2, 3].flatMap((id) => calls.ordersOf(id));
    const of = (status: OrderStatus) => own.filter((order) => order.status === status);
    const [held, waiting] = [of('holding'), of('pending')];
    const market: TicketInput = { ...TICKET, lots: '0.04' };
    const target = { ...market, type: 'pending', targetPrice: '0.5' } as const;
    if (what === 'buy') return calls.submit(market, key);
    if (what === 'sell') return calls.submit({ ...market, side: 'sell' }, key);
    if (what === 'target') return calls.submit(target, key);
    if (what === 'alert') {
      user.alerts += 1;
      // Of the euro, which is far below.
      const price = `${user.alerts + 1}`;
      asked.price = price;
      const form = { instrumentId: 1, price, quote: '', repeat: false, note: '', until: undefined };
      return calls.addAlert(form, key);
    }
    if (what === 'cancel' || what === 'amend') {
      if (waiting.length === 0 || (what === 'amend' && !calls.amendOrder)) return undefined;
      const { id } = random.pick(waiting);
      if (what === 'cancel') return calls.cancelOrder(id, key);
      const terms = { ...target, lots: '0.06', targetPrice: '0.6', until: undefined };
      return calls.amendOrder?.(id, terms, key);
    }
    if (held.length === 0) return undefined;
    const order = random.pick(held);
    if (what === 'close') return calls.closeOrder(order, key);
    if (what === 'part') return calls.closePart(order, '0.01', key);
    if (what === 'exits') return calls.setExits(order.id, exitsOf(order), key);
    const open = uuid(random);
    asked.open = open;
    return calls.reverseOrder(order, toText(order.updatePrice), { close: key, open });
  }

  /** Every page of the user knows the outcome of every call. */
  async #end(user: User): Promise<void> {
    const { browser, random, id } = user;
    browser.loses = undefined;
    // The former release goes on showing ended orders that a backup does not have.
    const outlived = browser.pages.filter(
      ({ release, opened }) => release === 'former' && opened < (this.#restoredAt ?? 0),
    );
    for (const page of outlived) browser.discard(page);
    if (browser.pages.length === 0) this.#open(browser, random);
    await this.#calm(user);
    this.#checkTold(user, await this.#doneKeys(id));
  }

  /** Fails where a call was done whose page was left, and no later page has told of it. */
  #checkTold({ browser, asked, seed }: User, done: ReadonlyMap<string, number>): void {
    const shown = new Set(browser.seen.flatMap((seen) => [...seen.asked]));
    const events = browser.seen.flatMap((seen) => seen.events);
    const untold = [...asked].filter(
      ([key, { outcome, open = '' }]) =>
        outcome === 'page gone' && done.has(key) && !shown.has(key) && !shown.has(open),
    );
    // An answer that comes at once is told before the call is shown.
    for (const [key, { what }] of untold) {
      const settled = events.findIndex(
        (event) => event.type === 'request-settled' && KINDS[what].includes(event.subject.kind),
      );
      expect(settled, `SEED=${seed}: nobody told of ${what} ${key}`).toBeGreaterThanOrEqual(0);
      events.splice(settled, 1);
    }
  }

  async #calm({ browser, asked, seed }: User): Promise<void> {
    const isCalm = () =>
      [...asked.values()].every(({ outcome }) => outcome) &&
      browser.pages.every(
        ({ release, seen, isGone }) =>
          isGone ||
          (seen.user &&
            seen.state === 'live' &&
            seen.unanswered.every(
              (each) =>
                isFoundOut(each) ||
                // The former release can't know of a call that a left page has not sent, nor a server of what its backup lacks.
                ((release === 'former' || this.#restoredAt !== undefined) &&
                  each.state === 'unknown'),
            )),
      );
    await this.#until(isCalm, () => {
      const pages = browser.pages.map(({ release, seen }) => ({ release, ...seen, events: 0 }));
      const open = [...asked].filter(([, { outcome }]) => !outcome);
      return `SEED=${seed}: never calm: ${JSON.stringify([pages, open], null, 1)}`;
    });
    await this.#wait(1_000);
  }

  /** Fails where a call was done twice or lost, or where a page shows what the server does not have. */
  async #compare(user: User): Promise<void> {
    const { browser, asked, seed } = user;
    const name = `SEED=${seed}`;
    const done = await this.#doneKeys(user.id);
    const opens: string[] = [];
    const alerts: string[] = [];
    for (const [key, { what, at, outcome, open, price, begun, epoch }] of asked) {
      if (OPENING.has(what)) opens.push(key);
      if (open) opens.push(open);
      if (price && done.has(key)) alerts.push(price);
      for (const each of price ? [] : [key, open])
        expect((done.get(each ?? '') ?? at) - at, `${name}: ${what} late`).toBeLessThan(LATEST);
      // A backup does not have what was done after it.
      const answered = what === 'reverse' ? begun : epoch;
      const isKept = this.#restoredAt === undefined || answered >= this.#restoredAt;
      if (outcome === 'done' && isKept) expect(done.has(key), `${name}: ${what} lost`).toBe(true);
      if (outcome === 'not done') expect(done.has(key), `${name}: ${what} done`).toBe(false);
      expect(outcome, `${name}: ${what}`).not.toBe('unknown');
    }
    const orders = await this.#rows<{ id: number }>(
      'select id from orders where user_id = $1 and split_from is null',
      user.id,
    );
    const booked = opens.filter((key) => done.has(key)).length;
    expect(orders.length, `${name}: orders booked`).toBe(booked);
    const set = await this.#rows<{ price: string }>(
      'select price from alerts where user_id = $1',
      user.id,
    );
    expect(set.map(({ price }) => price).sort(), `${name}: alerts`).toEqual(alerts.sort());
    this.#count(BOOKED, booked);
    await this.#looksAt(user);
    // And as a page of either release finds it on its next visit.
    for (const release of Object.values(this.#releases)) {
      for (const page of [...browser.pages]) this.#leave(user, page);
      browser.open(release);
      await this.#calm(user);
      await this.#looksAt(user);
    }
    for (const page of [...browser.pages]) this.#leave(user, page);
  }

  #leave({ browser, seed }: User, page: Page): void {
    const types = page.seen.events.map(({ type }) => type);
    expect(types, `SEED=${seed}`).not.toContain('signed-out');
    expect(types, `SEED=${seed}`).not.toContain('leave');
    browser.discard(page);
  }

  /** Fails where a page does not come to show what the server has; prices move between two questions. */
  async #looksAt(user: User): Promise<void> {
    for (const page of user.browser.pages) {
      const name = `SEED=${user.seed}: a page of the ${page.release} release`;
      let [shown, had] = [await this.#shownBy(page, name), await this.#truthFor(user)];
      for (let tries = 0; tries < 40 && !isDeepStrictEqual(shown, had); tries++) {
        await this.#wait(STEP);
        [shown, had] = [await this.#shownBy(page, name), await this.#truthFor(user)];
      }
      expect(shown, name).toEqual(had);
    }
  }

  async #shownBy(page: Page, name: string): Promise<unknown> {
    const { calls, seen } = page;
    const answer = async <T>(ask: () => Promise<Result<T>>): Promise<T> => {
      const result = await page.run(ask);
      if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.failure)}`);
      return result.data;
    };
    const list = await this.#ask<InstrumentRow[]>(LIST);
    const orders: string[] = [];
    for (const status of Object.keys(STATUSES) as OrderStatus[])
      orders.push(...(await answer(() => calls.orders(status, 0, 1000))).orders.map(orderText));
    const { alerts } = await answer(() => calls.alerts(false));
    return {
      user: seen.user?.id,
      balance: seen.balance,
      orders: orders.sort(),
      alerts: alerts.map(({ price }) => toText(price)).sort(),
      instruments: page.run(() => list.map(({ Code }) => calls.row(Code)?.instrument.id)),
    };
  }

  /** What the server has of a user; of their alerts the database. */
  async #truthFor({ id, token }: User): Promise<unknown> {
    const list = await this.#ask<InstrumentRow[]>(LIST);
    const orders: string[] = [];
    for (const status of Object.values(STATUSES)) {
      const path = `/v1/api/forex/my_deal?status=${status}&limit=500&page=1`;
      const read = parse(orderList.answer, await this.#ask(path, token));
      if (!read) throw new Error('a page that can not be read');
      orders.push(...read.rows.map(orderText));
    }
    const balances = parse(
      accountSummary.answer,
      await this.#ask('/v1/api/main/account/forexDetail', token),
    );
    const alerts = await this.#rows<{ price: string }>(
      'select price from alerts where user_id = $1 and not ended',
      id,
    );
    return {
      user: id,
      balance: balances && toText(accountBalance(balances)),
      orders: orders.sort(),
      alerts: alerts.map(({ price }) => toText(toDecimal(price))).sort(),
      instruments: list.map(({ Id }) => Id),
    };
  }

  /** Keys of calls that were done, and when. */
  async #doneKeys(userId: number): Promise<Map<string, number>> {
    const answers = await this.#rows<{ key: string; envelope: string; at: string }>(
      'select key, envelope, (extract(epoch from created_at) * 1000)::bigint as at from answers where user_id = $1',
      userId,
    );
    const done = answers.filter(({ envelope }) => JSON.parse(envelope).code === 1);
    return new Map(done.map(({ key, at }) => [key, Number(at)]));
  }

  async #rows<Row>(query: string, userId: number): Promise<Row[]> {
    const result = await this.#client?.query<Row>(query, [userId]);
    return result?.rows ?? [];
  }

  async #ask<T>(path: string, token = ''): Promise<T> {
    const headers = { authorization: token, lang: 'en' };
    this.#asking += 1;
    const { code, data, msg } = await fetch(this.#address.url + path, { headers })
      .then((answer) => answer.json() as Promise<{ code: number; data: T; msg: string }>)
      .finally(() => {
        this.#asking -= 1;
      });
    if (code !== 1) throw new Error(`${path}: ${code} ${msg}`);
    return data;
  }

  /** Lets time pass until what the users do is done. */
  async #drive(work: readonly Promise<void>[]): Promise<void> {
    let isDone = false;
    const all = Promise.all(work).finally(() => {
      isDone = true;
    });
    all.catch(() => {});
    while (!isDone) await this.#pass(STEP);
    await all;
  }

  async #pass(ms: number): Promise<void> {
    const until = this.#clock.now() + ms;
    do {
      await this.#clock.advance(
        Math.min(STEP, until - this.#clock.now()),
        () => this.#asking === 0 && !this.#users.some(({ browser }) => browser.inFlight > 0),
      );
      if (this.#clock.now() >= this.#flushedAt + STEP) await this.#flush();
    } while (this.#clock.now() < until);
  }

  /** Waits for what the server has begun, and for what it has sent. */
  async #flush(): Promise<void> {
    this.#flushedAt = this.#clock.now();
    await this.#server?.market.exclusively(() => {});
    await Promise.all(this.#users.map(({ browser }) => browser.flushed()));
    await turn();
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(ms, resolve);
    });
  }

  async #until(done: () => unknown, message: string | (() => string)): Promise<void> {
    for (let waited = 0; !done(); waited += STEP) {
      if (waited > 180_000) expect.fail(typeof message === 'string' ? message : message());
      await this.#wait(STEP);
    }
  }

  #count(what: string, by = 1): void {
    this.#happened.set(what, (this.#happened.get(what) ?? 0) + by);
  }

  #told(): Told {
    for (const { browser } of this.#users) this.#count('lost', browser.lost);
    const { [BOOKED]: orders = 0, ...happened } = Object.fromEntries(this.#happened);
    return { orders, happened };
  }
}

function uuid(random: SeededRandom): string {
  const hex = Array.from({ length: 32 }, () => random.between(0, 15).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
}

/**
 * Whether the server need not be asked any more. A page that has taken over a reversal takes an order like the opposite one for what
 * may be it.
 */
function isFoundOut({ state, subject, orders = [] }: UnansweredRequest): boolean {
  return (
    state === 'half' || (subject.kind === 'opposite' && state === 'unknown' && orders.length > 0)
  );
}

/** Stops far from the price. */
function exitsOf({ side, updatePrice, precision }: Order) {
  const at = (share: string) =>
    Number(toText(multiply(updatePrice, toDecimal(share)))).toFixed(precision);
  const [low, high] = [at('0.5'), at('1.5')];
  return side === 'buy'
    ? { stopLoss: low, takeProfit: high, trailing: '' }
    : { stopLoss: high, takeProfit: low, trailing: '' };
}
