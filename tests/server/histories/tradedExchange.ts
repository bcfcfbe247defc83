import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Envelope } from '#domain/api/envelope';
import { CODE_OK } from '#domain/api/envelope';
import type { OrderRow } from '#domain/api/trading';
import { type RecordedAccount, type RecordedSocket, Recorder } from '../../histories/history';
import {
  LAST_READS,
  type PlacedOrder,
  randomCall,
  type TradedInstrument,
} from '../../histories/randomCalls';
import type { SeededRandom } from '../../workers/simulation/seededRandom';
import type { TestClient } from '../socket/testSockets';
import { EUR, type TestExchange, type Trader, XAU } from '../trading/testExchange';

/** What a server answers that has not done it, or not yet. */
const NO_ANSWERS: readonly number[] = [409, 503];
/** Of the market, between two ticks at most; of a user, before a call is repeated. */
const TURNS = 12;
const START_BALANCE = '100000';

interface Extent {
  users?: number;
  /** Phones that each user holds at once. */
  phones?: number;
  /** Calls of each phone. */
  calls?: number;
  /** Nothing is lost: every answer arrives, and a user has one socket all the time. */
  isLossless?: boolean;
}

/** Users trade at random while the market moves, and all that they see is recorded. */
export class TradedExchange {
  readonly recorder = new Recorder();
  readonly random: SeededRandom;
  /** How often each thing was done. */
  readonly happened: Record<string, number> = {};
  readonly instruments: TradedInstrument[] = [
    { id: EUR, price: 1.1, digits: 5, point: 0.0002 },
    { id: XAU, price: 2000, digits: 2, point: 0.4 },
  ];
  private readonly exchange: TestExchange;
  isLossless = false;
  private trading = 0;

  constructor(exchange: TestExchange, random: SeededRandom) {
    this.exchange = exchange;
    this.random = random;
  }

  async run({
    users = 2,
    phones = 3,
    calls = 12,
    isLossless = false,
  }: Extent = {}): Promise<Recorder> {
    this.isLossless = isLossless;
    for (const instrument of this.instruments) await this.tick(instrument);
    const all = await Promise.all(
      Array.from({ length: users }, async (_, at) => {
        const account = this.recorder.account(`user ${at + 1}`, START_BALANCE);
        return new User(this, await this.exchange.demo(), account);
      }),
    );
    await Promise.all(all.map((user) => user.connect()));
    this.trading = users * phones;
    const hands = all.flatMap((user) => Array.from({ length: phones }, () => user));
    await Promise.all([
      this.move(),
      ...hands.map(async (user) => {
        for (let done = 0; done < calls; done++) await user.act();
        this.trading--;
      }),
      ...all.map((user) => user.watch()),
    ]);
    for (const user of all) await user.finish();
    return this.recorder;
  }

  get isTrading(): boolean {
    return this.trading > 0;
  }

  get now(): number {
    return this.exchange.market.now();
  }

  note(what: string): void {
    this.happened[what] = (this.happened[what] ?? 0) + 1;
  }

  async turns(most = TURNS): Promise<void> {
    for (let left = this.random.between(1, most); left > 0; left--) await nextTurn();
  }

  private async move(): Promise<void> {
    while (this.isTrading) {
      await this.tick(this.random.pick(this.instruments));
      await this.turns();
    }
  }

  private async tick(instrument: TradedInstrument): Promise<void> {
    const { id, point, digits } = instrument;
    const price = instrument.price + this.random.between(-3, 3) * point;
    const half = this.random.between(0, 3) * 10 ** -digits;
    const [bid, last, ask] = [price - half, price, price + half].map((each) =>
      each.toFixed(digits),
    ) as [string, string, string];
    instrument.price = Number(last);
    const known = this.recorder.price(id, last, bid, ask);
    await this.exchange.market.tick([id, +last, 1, { bid: +bid, ask: +ask }]);
    known();
  }
}

/** A user with several phones. */
class User {
  private readonly place: TradedExchange;
  private readonly trader: Trader;
  private readonly account: RecordedAccount;
  private readonly orders: PlacedOrder[] = [];
  private socket: { client: TestClient; recorded: RecordedSocket } | undefined;

  constructor(place: TradedExchange, trader: Trader, account: RecordedAccount) {
    this.place = place;
    this.trader = trader;
    this.account = account;
  }

  async act(): Promise<void> {
    const { random, instruments, now } = this.place;
    const { path, params, changes } = randomCall(random, instruments, this.orders, now);
    const envelope = await this.call(path, params, changes ? randomUUID() : undefined);
    if (envelope.code !== CODE_OK || !path.endsWith('/submit')) return;
    const { Id: id, ForexTradeLists: listed, OrderType: side } = envelope.data as OrderRow;
    this.orders.push({ id, instrument: listed.Id, side });
  }

  /** Some calls are sent twice; of some nobody hears again. */
  private async call(
    path: string,
    params: Record<string, string | number> = {},
    key?: string,
  ): Promise<Envelope<unknown>> {
    const { random, isLossless } = this.place;
    const query = new URLSearchParams(params as Record<string, string>);
    const recorded = this.account.invoke(`${path}?${query}`, key);
    const isLost = key !== undefined && !isLossless && random.chance(0.05);
    const attempts = key !== undefined && random.chance(0.2) ? 2 : 1;
    if (isLost) this.place.note('answer lost');
    if (attempts > 1) this.place.note('sent twice');
    const answers = await Promise.all(
      Array.from({ length: attempts }, () => this.attempt(path, params, key)),
    );
    for (const answer of answers) if (!isLost) recorded.answered(answer);
    const [answer] = answers as [Envelope<unknown>];
    this.place.note(`${path.split('/').at(-1)} ${answer.code}`);
    return isLost ? { ...answer, code: 0 } : answer;
  }

  private async attempt(
    path: string,
    params: Record<string, string | number>,
    key: string | undefined,
  ): Promise<Envelope<unknown>> {
    for (;;) {
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      const answer = await this.trader.get<unknown>(path, params, headers);
      if (!NO_ANSWERS.includes(answer.code)) return answer;
      this.place.note(`${answer.code}`);
      await this.place.turns();
    }
  }

  async connect(): Promise<void> {
    const client = await this.trader.connect();
    const recorded = this.account.loggedIn();
    for (const message of client.received) recorded.pushed(message);
    client.socket.on('message', (data) => recorded.pushed(JSON.parse(data.toString())));
    this.socket = { client, recorded };
    this.place.note('sockets');
  }

  /** One socket after the other. */
  async watch(): Promise<void> {
    const { place } = this;
    while (place.isTrading) {
      const { recorder, random, isLossless } = place;
      const until = isLossless ? Infinity : recorder.events + random.between(20, 300);
      while (place.isTrading && recorder.events < until) await place.turns();
      if (!place.isTrading) break;
      this.disconnect();
      await this.connect();
    }
    await this.socket?.client.settled();
    this.socket?.recorded.settled();
    this.disconnect();
  }

  private disconnect(): void {
    this.socket?.recorded.ended();
    this.socket?.client.socket.terminate();
  }

  async finish(): Promise<void> {
    for (const address of LAST_READS) {
      const { pathname, searchParams } = new URL(address, 'http://server');
      await this.call(pathname, Object.fromEntries(searchParams));
    }
  }
}
