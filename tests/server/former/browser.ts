import { AsyncLocalStorage } from 'node:async_hooks';
import axios, { type AxiosAdapter, AxiosError } from 'axios';
import { WebSocket } from 'ws';
import { toDurationMs } from '#domain/core/time';
import type { UnansweredRequest } from '#domain/worker/requests';
import type { Frame, WorkerEvent } from '#domain/worker/workerApi';
import type { Clock, RawSocket } from '../../../workers/core/ports';
import { PageLife } from '../../workers/simulation/pageLife';
import type { SeededRandom } from '../../workers/simulation/seededRandom';
import { ScriptedIndexedDb } from '../../workers/support/scriptedIndexedDb';
import { ScriptedTabs } from '../../workers/support/scriptedTabs';
import { paintingPort, START } from '../../workers/support/testWorker';
import { flushed } from '../support/flushed';
import type { PageCalls, Release } from './releases';

const send = axios.getAdapter('fetch');
const ORIGIN = START.page.origin;

/** The page whose code runs: a browser's pages share its databases, and the test has several browsers. */
const running = new AsyncLocalStorage<Page>();

/** What takes the place of the global one. */
export const indexedDb = {
  open(name: string, version?: number): unknown {
    const page = running.getStore();
    if (!page) throw new Error('no page opens this database');
    return page.browser.database(name).factory.open(name, version);
  },
};

/** Where the servers are. */
export interface Address {
  /** Empty while none serves. */
  url: string;
  /** Another one after each replacement. */
  epoch: number;
}

/** What a page of any release shows of its user's orders. */
class Seen {
  state: string | undefined;
  user: Frame['user'];
  balance: string | undefined;
  unanswered: UnansweredRequest[] = [];
  /** Keys of all calls that it has shown as unanswered. */
  readonly asked = new Set<string>();
  readonly events: WorkerEvent[] = [];

  apply({ connection, user, account, unanswered, events = [] }: Frame): void {
    this.state = connection?.state ?? this.state;
    if (user !== undefined) this.user = user;
    if (account) this.balance = account.balance;
    this.unanswered = unanswered ?? this.unanswered;
    for (const { key } of this.unanswered) this.asked.add(key);
    this.events.push(...events);
  }
}

class PageSocket implements RawSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly #page: Page;
  #real: WebSocket | undefined;
  #downAt = 0;
  #isOver = false;

  constructor(url: string, page: Page) {
    this.#page = page;
    const { browser } = page;
    browser.later(() => {
      if (this.#isOver) return;
      if (!browser.address.url) return this.#end();
      const real = new WebSocket(
        url.replace(/^ws:\/\/[^/]+/, browser.address.url.replace('http', 'ws')),
        {
          headers: browser.headers,
        },
      );
      this.#real = real;
      real.on('open', () => this.#enter(() => this.onopen?.()));
      real.on('message', (data) => {
        const text = String(data);
        const { clock } = browser;
        this.#downAt = Math.max(this.#downAt, clock.now() + browser.latency());
        clock.after(toDurationMs(this.#downAt - clock.now()), () =>
          this.#enter(() => this.onmessage?.({ data: text })),
        );
      });
      real.on('close', () => this.#end());
      real.on('error', () => {});
    });
  }

  #enter(task: () => void): void {
    this.#page.enter('socket', () => {
      if (!this.#isOver) task();
    });
  }

  #end(): void {
    this.#enter(() => {
      this.#isOver = true;
      this.onclose?.();
    });
  }

  send(text: string): void {
    this.#page.browser.later(() => {
      if (this.#real?.readyState === WebSocket.OPEN) this.#real.send(text);
    });
  }

  close(): void {
    this.#isOver = true;
    this.#real?.terminate();
  }

  /** Resolves once everything that the server has sent until now has come. */
  async flushed(): Promise<void> {
    if (this.#real) await flushed(this.#real);
  }
}

/** A page of a release with its worker, until the browser discards it. */
export class Page extends PageLife {
  readonly browser: Browser;
  readonly release: Release['name'];
  readonly calls: PageCalls;
  readonly seen = new Seen();
  /** The servers that there had been when it was opened. */
  readonly opened: number;
  readonly #tab: number;
  readonly #sockets = new Set<PageSocket>();

  constructor(browser: Browser, release: Release, tab: number) {
    super(browser.clock, browser.random);
    this.browser = browser;
    this.release = release.name;
    this.#tab = tab;
    this.opened = browser.address.epoch;
    const clock = this.clock();
    const logger = { log() {}, warn: (...said: unknown[]) => browser.warned.push(said.join(' ')) };
    this.calls = this.run(() =>
      release.createWorker({
        clock,
        random: browser.random.next,
        openSocket: (url) => {
          const socket = new PageSocket(url, this);
          this.#sockets.add(socket);
          return socket;
        },
        storage: release.createStorage(logger, clock),
        logger,
        adapter: this.adapter(browser.adapter),
        ...browser.tabs.open(),
        stopwatch: () => clock.now(),
      }),
    );
    this.run(() => {
      this.calls.watch({ account: true, instruments: { add: [1, 2, 3], remove: [] } });
      this.calls.sendFrames(paintingPort((frame) => this.seen.apply(frame)));
      this.calls.start({ ...START, version: '' });
    });
  }

  /** Runs code of the page. */
  run<T>(task: () => T): T {
    return running.run(this, task);
  }

  override enter(source: Parameters<PageLife['enter']>[0], task: () => void): void {
    super.enter(source, () => this.run(task));
  }

  override discard(): void {
    super.discard();
    this.browser.tabs.end(this.#tab);
    for (const socket of this.#sockets) socket.close();
  }

  async flushed(): Promise<void> {
    await Promise.all([...this.#sockets].map((socket) => socket.flushed()));
  }
}

/** The browser of one user: its pages, what they have stored, and its network. */
export class Browser {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly address: Address;
  readonly headers: Record<string, string>;
  readonly tabs = new ScriptedTabs();
  readonly warned: string[] = [];
  pages: Page[] = [];
  /** Of all pages, also of those that are gone. */
  readonly seen: Seen[] = [];
  /** HTTP requests that the server has not answered. */
  inFlight = 0;
  /** What is lost of calls that change something, now and then. */
  loses: 'request' | 'reply' | undefined;
  /** How often it was. */
  lost = 0;
  #opened = 0;
  readonly #databases = new Map<string, ScriptedIndexedDb>();

  constructor(clock: Clock, random: SeededRandom, address: Address, ip: string) {
    this.clock = clock;
    this.random = random;
    this.address = address;
    this.headers = { 'X-Forwarded-For': ip };
  }

  open(release: Release): Page {
    const page = new Page(this, release, ++this.#opened);
    this.pages.push(page);
    this.seen.push(page.seen);
    return page;
  }

  discard(page: Page): void {
    this.pages = this.pages.filter((other) => other !== page);
    page.discard();
  }

  database(name: string): ScriptedIndexedDb {
    const known = this.#databases.get(name);
    if (known) return known;
    const database = new ScriptedIndexedDb();
    let at = 0;
    database.soon = (go) => {
      const page = running.getStore();
      const now = this.clock.now();
      // In order: a transaction ends after its requests.
      at = Math.max(at, now + this.random.between(0, 8));
      this.clock.after(toDurationMs(at - now), () => page?.enter('storage', go));
    };
    this.#databases.set(name, database);
    return database;
  }

  latency(): number {
    return this.random.between(5, 400);
  }

  later(task: () => void): void {
    this.clock.after(toDurationMs(this.latency()), task);
  }

  readonly adapter: AxiosAdapter = async (config) => {
    const lost = () => new AxiosError('lost', AxiosError.ERR_NETWORK, config);
    const isChange = config.headers.has('Idempotency-Key');
    const loses = (what: 'request' | 'reply') => {
      const strikes = isChange && this.loses === what && this.random.chance(0.7);
      if (strikes) this.lost += 1;
      return strikes;
    };
    const pass = () => new Promise<void>((resolve) => this.later(resolve));
    await pass();
    const { url, epoch } = this.address;
    if (!url || loses('request')) throw lost();
    for (const [name, value] of Object.entries(this.headers)) config.headers.set(name, value);
    this.inFlight += 1;
    const answer = send({ ...config, url: config.url?.replace(ORIGIN, url) } as typeof config);
    const settled = answer.then(
      () => {},
      () => {},
    );
    await settled;
    this.inFlight -= 1;
    await pass();
    if (epoch !== this.address.epoch) this.lost += isChange ? 1 : 0;
    if (epoch !== this.address.epoch || loses('reply')) throw lost();
    return answer;
  };

  async flushed(): Promise<void> {
    await Promise.all(this.pages.map((page) => page.flushed()));
  }
}
