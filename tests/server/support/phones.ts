import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { OrderPageRow, OrderRow } from '#domain/api/trading';
import type { RecordPageRow } from '#domain/api/wallet';
import { toDurationMs } from '#domain/core/time';
import { ENTRY_TYPES } from '../../../server/ledger/entries';
import { createBackoff } from '../../../workers/core/backoff';
import type { RecordedAccount, RecordedSocket, Recorder } from '../../histories/history';

const PING_MS = 5_000;
const CONNECT_MS = 5_000;
/** A call that is silent for this long is sent again, with its key. */
const CALL_MS = 8_000;

/** Waits as the app's worker does. */
function backoff(random: () => number) {
  return createBackoff({ first: toDurationMs(200), cap: toDurationMs(1_600), random });
}

/** A socket of a phone: it connects again when it ends or is silent. */
abstract class PhoneSocket {
  protected readonly waits;
  private readonly url: string;
  private socket: WebSocket | undefined;
  private stopped = false;

  constructor(url: string, random: () => number) {
    this.url = url.replace('http', 'ws');
    this.waits = backoff(random);
    void this.live();
  }

  stop(): void {
    this.stopped = true;
    this.socket?.terminate();
  }

  /** What it sends first. */
  protected abstract opened(): object[];
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server sends
  protected abstract received(message: any): void;
  protected abstract closed(): void;

  private async live(): Promise<void> {
    while (!this.stopped) {
      await this.connection();
      await after(this.waits.next());
    }
  }

  /** One socket, until it ends. */
  private connection(): Promise<void> {
    return new Promise((resolve) => {
      const socket = new WebSocket(`${this.url}/v1/ws`, { handshakeTimeout: CONNECT_MS });
      this.socket = socket;
      let unanswered = 0;
      const pings = setInterval(() => {
        if (++unanswered > 2) socket.terminate();
        else if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
      }, PING_MS);
      socket.on('open', () => {
        for (const message of this.opened()) socket.send(JSON.stringify(message));
      });
      socket.on('message', (data) => {
        const message = JSON.parse(data.toString());
        if (message.type === 'pong') unanswered = 0;
        this.received(message);
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(pings);
        this.closed();
        resolve();
      });
    });
  }
}

/** A phone that watches prices. */
export class Watcher extends PhoneSocket {
  /** From the last price before each to the first one after it. */
  readonly breaks: { began: number; ended: number }[] = [];
  lastPrice = 0;
  /** The market's time of the newest tick. */
  private newest = 0;
  connections = 0;
  private broken = false;

  protected override opened(): object[] {
    this.connections++;
    return [{ type: 'sub', topic: 'DAY_MARKET' }];
  }

  protected override received({ type, data: rows }: Message): void {
    if (type === 'DAY_MARKET') this.read([rows].flat());
  }

  protected override closed(): void {
    this.broken = true;
  }

  /** What was known before is no price of now, nor is the word that a market is closed. */
  private read(rows: readonly Quote[]): void {
    const live = rows.filter(({ MarketStatus }) => MarketStatus === 1).map(({ Time }) => Time);
    const newest = Math.max(...live, 0);
    if (newest <= this.newest) return;
    this.newest = newest;
    this.priced();
  }

  private priced(): void {
    const now = performance.now();
    // A silence is a break too: the process behind the socket has stopped.
    if (this.lastPrice > 0 && (this.broken || now - this.lastPrice > SILENT_MS)) {
      this.breaks.push({ began: this.lastPrice, ended: now });
    }
    this.broken = false;
    this.lastPrice = now;
    this.waits.reset();
  }
}

interface Quote {
  Time: number;
  MarketStatus: number;
}

interface Message {
  type: string;
  data: Quote | Quote[];
}

/** A market of the tests ticks many times a second. */
const SILENT_MS = 2_000;

/** What is looked at of an order. */
export type Listed = Pick<
  OrderRow,
  | 'Id'
  | 'OriginPrice'
  | 'Price'
  | 'Swap'
  | 'CloseReason'
  | 'CreateTimeHandler'
  | 'CompleteTimeHandler'
>;

/** A night that an order was charged for, in the user's records. */
interface NightRecord {
  order: number;
  value: string;
}

interface AnsweredCall {
  path: string;
  key: string;
  answer: Envelope<unknown>;
}

interface Envelope<T> {
  code: number;
  msg: string;
  data: T;
}

/** What demo accounts begin with, USD. */
const DEMO_BALANCE = '100000';

/** What a user's phone is pushed, over one socket after the other. */
class PushListener extends PhoneSocket {
  private readonly token: string;
  private readonly account: RecordedAccount;
  private recorded: RecordedSocket | undefined;
  private readonly ended = new Set<number>();

  constructor(url: string, token: string, random: () => number, account: RecordedAccount) {
    super(url, random);
    this.token = token;
    this.account = account;
  }

  /** The present socket, once it has logged in. */
  get login(): RecordedSocket | undefined {
    return this.recorded;
  }

  /** Whether it was pushed that an order has ended. */
  hasEnded(id: number): boolean {
    return this.ended.has(id);
  }

  override stop(): void {
    this.recorded?.ended();
    super.stop();
  }

  protected override opened(): object[] {
    const topics = ['FOREX_TRADE', 'FOREX_CLOSED'].map((topic) => ({ type: 'sub', topic }));
    return [...topics, { type: 'login', token: this.token }];
  }

  // biome-ignore lint/suspicious/noExplicitAny: as the base has it
  protected override received(message: any): void {
    if (message.type === 'login' && message.code === 1) {
      this.recorded = this.account.loggedIn();
      this.waits.reset();
    }
    this.recorded?.pushed(message);
    if (message.type === 'FOREX_CLOSED') this.ended.add(message.data.Id);
  }

  protected override closed(): void {
    this.recorded?.ended();
    this.recorded = undefined;
  }
}

const LOOKS = [
  '/v1/api/forex/my_deal?status=1&limit=100',
  '/v1/api/main/account/forexDetail',
  '/v1/api/forex/my_deal?status=3&limit=20',
  '/v1/api/main/wallet/getBalance',
  '/v1/api/forex/my_deal?status=0&limit=100',
  '/v1/api/main/accountLog/forexChange?limit=20',
];

/** How long a pending order of a trader is valid, ms. */
const VALID_MS = 5_000;

/**
 * A phone that holds a position, opens and closes others, and amends orders that expire; what it has asked for once it asks for
 * until it knows the outcome.
 */
export class Trader {
  /** The order of each key that was answered. */
  readonly placed = new Map<string, number>();
  /** The price that each amended order was given. */
  readonly amended = new Map<number, number>();
  /** Calls that were sent again. */
  repeated = 0;
  private readonly answered: AnsweredCall[] = [];
  refused = 0;
  private looked = 0;
  private readonly url: string;
  private readonly waits;
  private readonly now: () => number;
  private readonly token: string;
  private readonly order: string;
  /** A pending order far below the price, and what it is amended to. */
  private readonly waiting: { order: string; terms: string; price: number };
  private readonly account: RecordedAccount | undefined;
  private readonly pushes: PushListener | undefined;
  private done: Promise<void> | undefined;
  private stopped = false;

  private constructor(
    url: string,
    random: () => number,
    now: () => number,
    token: string,
    order: string,
    waiting: Trader['waiting'],
    account: RecordedAccount | undefined,
  ) {
    this.account = account;
    this.pushes = account && new PushListener(url, token, random, account);
    this.now = now;
    this.waiting = waiting;
    this.url = url;
    this.waits = backoff(random);
    this.token = token;
    this.order = order;
  }

  /** A new demo user, who holds a position. `now`: the clock of the servers. `recorder`: of what its calls and a socket see. */
  static async open(
    url: string,
    random: () => number,
    now = () => Date.now(),
    recorder?: Recorder,
  ): Promise<Trader> {
    const get = async <T>(path: string) =>
      ((await (await fetch(url + path)).json()) as Envelope<T>).data;
    const { token } = await get<{ token: string }>(
      `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`,
    );
    const list = await get<
      {
        Id: number;
        MarketStatus: number;
        ForexMinCont: string;
        HasForexMultiple: { Value: string }[];
        PricePrecision: number;
        ForexQuotations: { Close: string };
      }[]
    >('/v1/api/forex/trade_list');
    const open = list.find(({ MarketStatus }) => MarketStatus === 1);
    if (!open) throw new Error('no market is open');
    const order = new URLSearchParams({
      type: '1',
      status: '1',
      forex_id: `${open.Id}`,
      cont: open.ForexMinCont,
      multiple: open.HasForexMultiple.at(-1)?.Value ?? '0',
    });
    const at = (share: number) =>
      (Number(open.ForexQuotations.Close) * share).toFixed(open.PricePrecision);
    const submit = `/v1/api/forex/submit?${order}`;
    const account = recorder?.account(`trader ${recorder.accounts.length + 1}`, DEMO_BALANCE);
    const waiting = {
      order: `${submit}&target_price=${at(0.5)}`.replace('status=1', 'status=0'),
      terms: `cont=${open.ForexMinCont}&target_price=${at(0.4)}`,
      price: Number(at(0.4)),
    };
    const trader = new Trader(url, random, now, token, submit, waiting, account);
    if (await trader.place(submit)) return trader;
    trader.pushes?.stop();
    throw new Error('no position could be opened');
  }

  start(): void {
    this.stopped = false;
    this.done = this.trade();
  }

  /** Until it is started again. Resolves when the outcome of its last call is known. */
  async pause(): Promise<void> {
    this.stopped = true;
    await this.done;
  }

  /** Resolves when the outcome of its last call is known, and everything was pushed that had to be. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.done;
    await this.expire();
    await this.settle();
  }

  /** Waits until nothing is pending: what expires between two lists would be in both. */
  private async expire(): Promise<void> {
    const path = '/v1/api/forex/my_deal?status=0&limit=1';
    while ((await this.call<OrderPageRow>(path)).data.total > 0) await after(200);
  }

  /** Pushes come in their order: with that of one more order all former ones have come. */
  private async settle(): Promise<void> {
    const { pushes } = this;
    for (let isSettled = !pushes; !isSettled; ) {
      const socket = pushes?.login;
      const id = socket && (await this.place(this.order));
      if (id === undefined) await after(200);
      else {
        await this.call(`/v1/api/forex/close?id=${id}`, randomUUID());
        while (pushes?.login === socket && !pushes?.hasEnded(id)) await after(50);
        isSettled = pushes?.hasEnded(id) === true && pushes.login === socket;
        if (isSettled) socket?.settled();
      }
    }
    pushes?.stop();
  }

  /** All its orders, as the server lists them, and the swap of each list. */
  async orders(): Promise<{ rows: Listed[]; swaps: string[] }> {
    // One that ends meanwhile is in two lists.
    const rows = new Map<number, Listed>();
    const swaps: string[] = [];
    for (const status of [0, 1, 3]) {
      for (let page = 1; ; page++) {
        const path = `/v1/api/forex/my_deal?status=${status}&page=${page}&limit=100`;
        const { data } = await this.call<OrderPageRow>(path);
        for (const row of data.data) rows.set(row.Id, row);
        if (data.data.length === 100) continue;
        swaps.push(data.all_swap ?? '');
        break;
      }
    }
    return { rows: [...rows.values()], swaps };
  }

  async nights(): Promise<NightRecord[]> {
    const nights: NightRecord[] = [];
    for (let page = 1, seen = 0; ; page++) {
      const path = `/v1/api/main/accountLog/forexChange?page=${page}&limit=100`;
      const { list, total } = (await this.call<RecordPageRow>(path)).data;
      for (const { Type, Value, MemoTran } of list) {
        if (Type !== ENTRY_TYPES.swap) continue;
        nights.push({ order: Number(/order (\d+)/.exec(MemoTran)?.[1]), value: Value });
      }
      seen += list.length;
      if (seen >= total || list.length === 0) return nights;
    }
  }

  /** The calls whose answer is another one when they are sent again. */
  async otherAnswers(): Promise<AnsweredCall[]> {
    const others: AnsweredCall[] = [];
    for (const call of this.answered.splice(0)) {
      const answer = await this.call(call.path, call.key);
      if (JSON.stringify(answer) !== JSON.stringify(call.answer)) others.push(call);
    }
    return others;
  }

  private async trade(): Promise<void> {
    while (!this.stopped) {
      const id = await this.place(this.order);
      if (id === undefined) {
        this.refused++;
        // The market is closed while nobody serves it.
        await after(200);
        continue;
      }
      await this.look();
      await this.call(`/v1/api/forex/close?id=${id}`, randomUUID());
      await this.amend();
    }
  }

  /** Reads something, where anybody checks what it shows. */
  private async look(): Promise<void> {
    const read = this.account && LOOKS[this.looked++ % LOOKS.length];
    if (read) await this.call(read);
  }

  /** Places a pending order and amends it: it expires. */
  private async amend(): Promise<void> {
    const { order, terms, price } = this.waiting;
    const until = `until=${this.now() + VALID_MS}`;
    const id = await this.place(`${order}&${until}`);
    if (id === undefined) return;
    const path = `/v1/api/forex/amend?id=${id}&${terms}&${until}`;
    const amended = await this.call(path, randomUUID());
    if (amended.code === 1) this.amended.set(id, price);
  }

  /** The order's id; undefined where it is refused. */
  private async place(path: string): Promise<number | undefined> {
    const key = randomUUID();
    const { code, data } = await this.call<OrderRow>(path, key);
    if (code !== 1) return undefined;
    this.placed.set(key, data.Id);
    return data.Id;
  }

  /** Asks until there is an answer with an envelope. */
  private async call<T>(path: string, key?: string): Promise<Envelope<T>> {
    const own = { authorization: this.token, lang: 'en' };
    const headers = { ...own, ...(key && { 'idempotency-key': key }) };
    for (;;) {
      // Without a key each attempt is a call of its own.
      const recorded = this.account?.invoke(path, key);
      try {
        const signal = AbortSignal.timeout(CALL_MS);
        const answer = await fetch(this.url + path, { headers, signal });
        const envelope = (await answer.json()) as Envelope<T>;
        // 409: the first attempt runs still.
        if (answer.ok && envelope.code !== 409) {
          this.waits.reset();
          recorded?.answered(envelope);
          if (key) this.answered.push({ path, key, answer: envelope });
          return envelope;
        }
      } catch {
        // Not known whether it was served.
      }
      this.repeated++;
      await after(this.waits.next());
    }
  }
}
