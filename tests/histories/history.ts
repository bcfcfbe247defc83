/**
 * What phones have seen of a server: calls with their answers, pushes, and the prices of the market. A test records it
 * with a `Recorder` while it does what it wants to the server, and `problemsOf` (checkHistory.ts) says what no right server could
 * have done:
 *
 *     const recorder = new Recorder();
 *     const account = recorder.account('ann', '100000');
 *     const call = account.invoke('/v1/api/forex/submit?…', key);
 *     call.answered(envelope);          // never, where nobody knows the outcome
 *     const socket = account.loggedIn();  // once the login is answered, and what was missed is fetched
 *     socket.pushed(message);
 *     socket.settled();                 // nothing that happened before is still on its way
 *     socket.ended();
 *     expect(problemsOf(recorder)).toEqual([]);
 */
import type { Envelope } from '#domain/api/envelope';
import type { OrderRow } from '#domain/api/trading';

/** A call from its first attempt to its answer. Times are places in the order of all that was recorded. */
export interface Call {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly key: string | undefined;
  readonly invoked: number;
  /** Undefined: no attempt was answered. */
  answered?: { at: number; envelope: Envelope<unknown> };
  /** What attempts with its key were answered after that, where it was something else. */
  otherwise?: Envelope<unknown>;
}

interface Pushed {
  readonly at: number;
  readonly order: OrderRow;
}

/** A login of a socket, until it ends. */
interface Connection {
  readonly loggedIn: number;
  readonly pushes: Pushed[];
  /** Everything that happened before has been pushed. */
  settled?: number;
  ended?: number;
}

/** From the call that told the market of a price until everybody had it. */
export interface PriceChange {
  readonly begun: number;
  readonly instrument: number;
  /** Last, and bid and ask where there are any. */
  readonly prices: readonly string[];
  ended: number;
}

export interface AccountHistory {
  readonly name: string;
  readonly balance: string;
  readonly calls: Call[];
  readonly connections: Connection[];
}

/** Notes a push on its socket; other messages are ignored. */
export interface RecordedSocket {
  pushed(message: unknown): void;
  /** Whoever calls it has waited until nothing more can come. */
  settled(): void;
  ended(): void;
}

/** What is noted of the attempts of one call. */
interface RecordedCall {
  /** A final answer: neither 409 nor an outage. Later ones must be the same. */
  answered(envelope: Envelope<unknown>): void;
}

export interface RecordedAccount {
  /** A call is about to be sent; with a key that it had before it is the same one. `address`: path and query. */
  invoke(address: string, key?: string): RecordedCall;
  /** A socket has logged in, and what was missed before is about to be fetched. */
  loggedIn(): RecordedSocket;
}

/** Records what all phones of a test see, in one order. */
export class Recorder {
  readonly accounts: AccountHistory[] = [];
  readonly prices: PriceChange[] = [];
  private readonly keyed = new Map<string, Call>();
  private time = 0;

  /** How much was recorded. */
  get events(): number {
    return this.time;
  }

  /** A new account with its balance, USD, of one ledger entry. */
  account(name: string, balance: string): RecordedAccount {
    const account: AccountHistory = { name, balance, calls: [], connections: [] };
    this.accounts.push(account);
    return {
      invoke: (address, key) => this.invoke(account, address, key),
      loggedIn: () => this.connect(account),
    };
  }

  /** The market is about to have these prices; returns what notes that everybody has them. Without any, no price is doubted. */
  price(instrument: number, ...prices: (string | number)[]): () => void {
    const change: PriceChange = {
      begun: ++this.time,
      instrument,
      prices: prices.map(plainNumber),
      ended: Number.POSITIVE_INFINITY,
    };
    this.prices.push(change);
    return () => {
      change.ended = ++this.time;
    };
  }

  private invoke(account: AccountHistory, address: string, key: string | undefined): RecordedCall {
    const call = (key && this.keyed.get(key)) || this.begin(account, address, key);
    return {
      answered: (envelope) => {
        if (!call.answered) {
          call.answered = { at: ++this.time, envelope };
          return;
        }
        const isSame = JSON.stringify(envelope) === JSON.stringify(call.answered.envelope);
        if (!isSame) call.otherwise = envelope;
      },
    };
  }

  private begin(account: AccountHistory, address: string, key: string | undefined): Call {
    const { pathname, searchParams } = new URL(address, 'http://server');
    const params = Object.fromEntries(searchParams);
    const call: Call = { path: pathname, params, key, invoked: ++this.time };
    account.calls.push(call);
    if (key) this.keyed.set(key, call);
    return call;
  }

  private connect(account: AccountHistory): RecordedSocket {
    const connection: Connection = { loggedIn: ++this.time, pushes: [] };
    account.connections.push(connection);
    return {
      pushed: (message) => {
        const order = pushedOrder(message);
        if (order && !connection.ended) connection.pushes.push({ at: ++this.time, order });
      },
      settled: () => {
        if (!connection.ended) connection.settled = ++this.time;
      },
      ended: () => {
        connection.ended ??= ++this.time;
      },
    };
  }
}

function pushedOrder(message: unknown): OrderRow | undefined {
  const { type, data } = message as { type: string; data: unknown };
  if (type === 'FOREX_TRADE') return data as OrderRow;
  if (type === 'FOREX_CLOSED') return (data as { Order: OrderRow }).Order;
  return undefined;
}

/** A number as text, the same one for equal numbers: without zeros at the end. */
export function plainNumber(number: string | number | undefined): string {
  const text = String(number || 0);
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return short === '-0' ? '0' : short;
}
