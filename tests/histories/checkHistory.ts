import { CODE_OK } from '#domain/api/envelope';
import type { AccountSummaryRow, OrderPageRow, OrderRow } from '#domain/api/trading';
import type { BalanceRow, DepositRow, RecordPageRow, WithdrawalRow } from '#domain/api/wallet';
import { ENTRY_TYPES } from '../../server/ledger/entries';
import * as model from './account';
import { CLOSED, HOLDING, type Order, PENDING, textOf } from './account';
import { type AccountHistory, type Call, type PriceChange, plainNumber } from './history';
import { linearize, type Operation, type Step, type Verdict } from './linearizable';

type Account = model.Account;

/** An operation of an account, as the search has it. */
interface AccountOperation extends Operation<Account> {
  /** A push of what it has changed must come, unless it is changed again by then. */
  readonly pushes: 'always' | 'unless changed again' | 'never';
}

/** What an operation does, without its times. */
type Effect = Pick<AccountOperation, 'next' | 'pushes' | 'isRead'>;

/** What was recorded of all accounts and the market. */
interface History {
  readonly accounts: readonly AccountHistory[];
  readonly prices: readonly PriceChange[];
}

interface Limits {
  /** Of configurations that are tried for one account. */
  most?: number;
}

/**
 * What no right server could have done, for each account by itself: its calls and what the market did to its orders have no
 * order that both the rules of an account (account.ts) and real time allow; a push tells of no change, or twice of one, or too
 * late, or is missing. Empty where all is right. Reads of lists should come last: what they do not show is not checked.
 */
export function problemsOf({ accounts, prices }: History, limits: Limits = {}): string[] {
  return accounts.flatMap((account) =>
    new AccountCheck(account, prices)
      .problems(limits)
      .map((problem) => `${account.name}: ${problem}`),
  );
}

/** An order as somebody has seen it. */
interface Sight {
  readonly order: Order;
  /** When whoever saw it had asked, and when it was there: it was like this at some time between. */
  readonly since: number;
  readonly at: number;
}

const SUBMIT = '/v1/api/forex/submit';
const CLOSE = '/v1/api/forex/close';
const CANCEL = '/v1/api/forex/cancel_trade';
const AMEND = '/v1/api/forex/amend';
const EXITS = '/v1/api/forex/set_stop_price';
const LIST = '/v1/api/forex/my_deal';
const RESET = '/v1/api/main/user/resetForexDemoAccount';
const SUMMARY = '/v1/api/main/account/forexDetail';
const BALANCE = '/v1/api/main/wallet/getBalance';
const RECORDS = '/v1/api/main/accountLog/forexChange';
const DRAW = '/api/account/draw';
const DRAWN = '/api/account/draw_list';
const DEPOSITS = ['/api/quickCharge/submit', '/api/quickCharge/wire_submit'];
const DEPOSITED = '/api/quickCharge/quick_ist';

/** What a call is refused with because of the state of its order, in English: it must not have been in that state. */
const REFUSED_IN: Readonly<Record<string, number>> = {
  'Only an open position can be closed': HOLDING,
  'Only a pending order can be cancelled': PENDING,
  'Only a pending order can be changed': PENDING,
};

const NEVER = Number.POSITIVE_INFINITY;

class AccountCheck {
  private readonly history: AccountHistory;
  private readonly prices = new Map<number, PriceChange[]>();
  /** What was seen of each order, by id. */
  private readonly sights = new Map<number, Sight[]>();
  /** Orders that no answer to a new order has named: of a call without an answer, or parts of others. */
  private readonly orphans: Order[][] = [];
  private readonly found: string[] = [];
  /** Calls that were done. */
  private readonly done: { call: Call; at: number; data: unknown }[];

  constructor(history: AccountHistory, prices: readonly PriceChange[]) {
    this.history = history;
    this.done = history.calls.flatMap((call) => {
      const { answered } = call;
      if (answered?.envelope.code !== CODE_OK) return [];
      return [{ call, at: answered.at, data: answered.envelope.data }];
    });
    for (const change of prices) {
      const own = this.prices.get(change.instrument) ?? [];
      this.prices.set(change.instrument, [...own, change]);
    }
    this.collectSights();
  }

  problems({ most }: Limits): string[] {
    const { calls, balance } = this.history;
    for (const { path, key, answered, otherwise } of calls) {
      if (otherwise)
        this.found.push(
          `${path} with the key ${key} was answered ${JSON.stringify(answered?.envelope)}, then ${JSON.stringify(otherwise)}`,
        );
    }
    const operations = [
      ...calls.flatMap((call) => this.operationsOf(call)),
      ...this.acts(),
      ...this.glimpses(),
    ];
    const start = model.emptyAccount(model.micro(balance));
    const verdict = linearize<Account>(operations, start, model.keyOf, most);
    if (verdict.verdict === 'linearizable') {
      this.checkPushes(verdict.order);
      this.checkTriggers(verdict.order);
    } else this.found.push(textOfVerdict(verdict));
    return this.found;
  }

  /** The orders of an answer or a push, with the times between which they were like this. */
  private see(rows: readonly OrderRow[], since: number, at: number): void {
    for (const row of rows) {
      const order = model.orderOf(row);
      const sights = this.sights.get(order.id) ?? [];
      this.sights.set(order.id, [...sights, { order, since, at }]);
    }
  }

  private collectSights(): void {
    const placed = new Set<number>();
    for (const { call, at, data } of this.done) {
      const { path, invoked } = call;
      if (path === LIST) this.see((data as OrderPageRow).data, invoked, at);
      else if ([SUBMIT, CLOSE, CANCEL, AMEND, EXITS].includes(path)) {
        this.see([data as OrderRow], invoked, at);
        if (path === SUBMIT) placed.add((data as OrderRow).Id);
      }
    }
    for (const { pushes } of this.history.connections) {
      // When it was sent, nobody knows.
      for (const { at, order } of pushes) this.see([order], 0, at);
    }
    // Those of lower ids came first.
    for (const [id, sights] of [...this.sights].sort(([a], [b]) => a - b)) {
      if (!placed.has(id)) this.orphans.push(sights.map(({ order }) => order));
    }
  }

  private sightsOf(id: number): readonly Sight[] {
    return this.sights.get(id) ?? [];
  }

  private endOf(id: number): Order | undefined {
    return this.sightsOf(id).find(({ order }) => order.status === CLOSED)?.order;
  }

  private operationsOf(call: Call): AccountOperation[] {
    const { answered } = call;
    if (!answered) return this.unanswered(call);
    const { envelope, at } = answered;
    if (envelope.code !== CODE_OK) return this.refused(call, envelope.msg);
    const operations = this.answered(call, envelope.data);
    return operations.map((operation) => ({
      name: `${nameOf(call)} = ${JSON.stringify(envelope.data)}`,
      invoked: call.invoked,
      answered: at,
      ...operation,
    }));
  }

  private refused(call: Call, message: string): AccountOperation[] {
    const status = REFUSED_IN[message];
    if (status === undefined) return [];
    const id = Number(call.params['id']);
    return [
      {
        name: `${nameOf(call)} refused: ${message}`,
        invoked: call.invoked,
        answered: call.answered?.at ?? NEVER,
        pushes: 'never',
        isRead: true,
        next: (account) => (account.open.get(id)?.status === status ? [] : [unchanged(account)]),
      },
    ];
  }

  /** What an answered call has done or read: mostly one operation. */
  private answered(call: Call, data: unknown): Effect[] {
    const { path } = call;
    if (DEPOSITS.includes(path)) {
      const { id } = data as { id: number };
      return changes((account) => model.deposit(account, id), 'never');
    }
    switch (path) {
      case SUBMIT:
      case AMEND:
      case EXITS:
      case CANCEL:
      case CLOSE:
        return this.command(call, model.orderOf(data as OrderRow));
      case RESET: {
        const balance = model.micro((data as { balance: string }).balance);
        return changes((account) => model.reset(account, balance, this.ended()));
      }
      case DRAW: {
        const { id } = data as { id: number };
        const amount = model.micro(call.params['number']);
        return changes((account) => model.withdraw(account, id, amount), 'never');
      }
      case LIST:
        return listed(call, data as OrderPageRow);
      case SUMMARY:
      case BALANCE:
        return reads((account) => showsBalances(account, data as BalanceRow));
      case RECORDS:
        return reads((account) => showsRecords(account, data as RecordPageRow));
      default:
        return [];
    }
  }

  private command(call: Call, order: Order): Effect[] {
    const { path, invoked, answered } = call;
    const asked = termsProblem(call, order);
    if (asked) this.found.push(`${nameOf(call)}: ${asked}`);
    const end = answered?.at ?? NEVER;
    switch (path) {
      case SUBMIT:
        this.checkPrice(call, order, order.price, invoked, end);
        return changes((account) => model.place(account, order));
      case AMEND:
        this.checkPrice(call, order, order.price, invoked, end);
        return changes((account) => model.amend(account, order));
      case EXITS:
        return changes((account) => model.setExits(account, order));
      case CANCEL:
        return changes((account) => model.end(account, order));
      default:
        if (order.status !== CLOSED) return this.closesPart(call, order);
        this.checkPrice(call, order, order.closePrice, invoked, end);
        return changes((account) => model.end(account, order));
    }
  }

  private closesPart(call: Call, rest: Order): Effect[] {
    const parts = this.partsOf(rest, call);
    const next = (account: Account) =>
      parts.flatMap((part) => model.split(account, rest, part) ?? []);
    return [{ next, pushes: 'always' }];
  }

  /** Orders that may be what was closed of another one, at a price of the time of the call. */
  private partsOf(rest: Order, { params, invoked, answered }: Call): Order[] {
    return this.orphans.flatMap((sights) => {
      const part = sights.find(({ status, reason }) => status === CLOSED && reason === 'user');
      const { instrument, closePrice } = part ?? rest;
      const isPart = instrument === rest.instrument && part?.lots === plainNumber(params['cont']);
      const isPriced = this.had(instrument, closePrice, invoked, answered?.at ?? NEVER);
      return part && isPart && isPriced ? [part] : [];
    });
  }

  private ended(): ReadonlyMap<number, Order> {
    return new Map(
      [...this.sights.keys()].flatMap((id) => {
        const order = this.endOf(id);
        return order ? [[id, order] as const] : [];
      }),
    );
  }

  private checkPrice(of: Call | string, order: Order, price: string, from: number, until: number) {
    if (price === '0') return;
    if (this.had(order.instrument, price, from, until)) return;
    const name = typeof of === 'string' ? of : nameOf(of);
    this.found.push(`${name}: the market did not have the price ${price} (${textOf(order)})`);
  }

  /** Whether an instrument had a price at some time between; true where nothing is known of it. */
  private had(instrument: number, price: string, from: number, until: number): boolean {
    const changes = this.prices.get(instrument);
    if (!changes) return true;
    return changes.some(({ begun, prices }, at) => {
      const left = changes[at + 1]?.ended ?? NEVER;
      return begun <= until && left >= from && prices.includes(price);
    });
  }

  /** A call without an answer has happened at any time since, or never: what others saw of it says how. */
  private unanswered(call: Call): AccountOperation[] {
    const { invoked } = call;
    const nexts = this.outcomes(call);
    if (!nexts) return [];
    return [
      {
        name: `${nameOf(call)}, unanswered`,
        invoked,
        answered: NEVER,
        isOptional: true,
        pushes: 'always',
        next: (account) => nexts(account).filter((reached) => reached !== undefined),
      },
    ];
  }

  private outcomes(call: Call): ((account: Account) => (Account | undefined)[]) | undefined {
    const { path, params } = call;
    const id = Number(params['id']);
    const seen = distinct(this.sightsOf(id).map(({ order }) => order));
    switch (path) {
      case SUBMIT: {
        const placed = this.orphans.flatMap((sights) => firstStates(sights, params));
        return (account) => placed.map((order) => model.place(account, order));
      }
      case AMEND: {
        const amended = seenFirst(
          seen.flatMap((order) => withTerms(order, params)),
          seen,
        );
        return (account) => amended.map((order) => model.amend(account, order));
      }
      case EXITS:
        return (account) => {
          const order = account.open.get(id);
          return [order && model.setExits(account, { ...order, ...exitsOf(params) })];
        };
      case CANCEL:
      case CLOSE: {
        const ends = seen.filter(({ reason }) =>
          [path === CANCEL ? 'cancelled' : 'user'].includes(reason),
        );
        const rests = seen.filter(({ status }) => path === CLOSE && status === HOLDING);
        return (account) => [
          ...ends.map((order) => model.end(account, order)),
          ...rests.flatMap((rest) =>
            this.partsOf(rest, call).map((part) => model.split(account, rest, part)),
          ),
        ];
      }
      case RESET:
        return (account) => [model.reset(account, model.micro(this.history.balance), this.ended())];
      case DRAW: {
        const amount = model.micro(params['number']);
        const ids = this.rowsOf<WithdrawalRow>(DRAWN).map((row) => row.id);
        return (account) => ids.map((each) => model.withdraw(account, each, amount));
      }
      default: {
        if (!DEPOSITS.includes(path)) return undefined;
        const ids = this.rowsOf<DepositRow>(DEPOSITED).map((row) => row.id);
        return (account) => ids.map((each) => model.deposit(account, each));
      }
    }
  }

  /** Rows of all pages that were read of a list, the last ones. */
  private rowsOf<Row extends { id: number }>(path: string): Row[] {
    const rows = new Map<number, Row>();
    for (const { call, data } of this.done) {
      if (call.path !== path) continue;
      for (const row of (data as { data: Row[] }).data) rows.set(row.id, row);
    }
    return [...rows.values()];
  }

  /** What nobody has called: the market has filled or ended orders, nights were charged, money was reviewed. */
  private acts(): AccountOperation[] {
    return [
      ...[...this.sights.keys()].flatMap((id) => [...this.fills(id), ...this.ends(id)]),
      ...this.moneyActs(),
    ];
  }

  private act(
    name: string,
    sights: readonly Sight[],
    isAfter: (order: Order) => boolean,
    next: (account: Account) => Account | undefined,
    more: Pick<AccountOperation, 'pushes'> & { isOptional?: boolean },
  ): AccountOperation {
    const before = sights.filter(({ order }) => !isAfter(order)).map(({ since }) => since);
    const after = sights.filter(({ order }) => isAfter(order)).map(({ at }) => at);
    const [operation] = changes(next);
    return {
      name,
      invoked: Math.max(0, ...before),
      answered: Math.min(NEVER, ...after),
      next: operation?.next ?? (() => []),
      ...more,
    };
  }

  private fills(id: number): AccountOperation[] {
    const sights = this.sightsOf(id);
    const filled = sights.find(({ order }) => order.price !== '0')?.order;
    if (!filled || this.calls(SUBMIT, AMEND).some((row) => isFilledBy(row, id))) return [];
    // Nobody knows how an orphan was placed.
    const isPlaced = this.calls(SUBMIT).some((row) => row.Id === id);
    const isOptional = !isPlaced || this.hasUnanswered(AMEND, id);
    const act = this.act(
      `order ${id} is filled at ${filled.price}`,
      sights,
      ({ price }) => price !== '0',
      (account) => model.fill(account, filled),
      { pushes: 'unless changed again', isOptional },
    );
    if (!isOptional) this.checkPrice(act.name, filled, filled.price, act.invoked, act.answered);
    return [act];
  }

  private ends(id: number): AccountOperation[] {
    const end = this.endOf(id);
    if (!end || ['user', 'reset'].includes(end.reason)) return [];
    const isAsked = ({ params, answered }: Call) =>
      Number(params['id']) === id && (!answered || answered.envelope.code === CODE_OK);
    const asked = this.history.calls.filter((call) => call.path === CANCEL && isAsked(call));
    if (end.reason === 'cancelled' && asked.some(({ answered }) => answered)) return [];
    const act = this.act(
      `order ${id} ends: ${end.reason} at ${end.closePrice}`,
      this.sightsOf(id),
      ({ status }) => status === CLOSED,
      (account) => model.end(account, end),
      { pushes: 'always', isOptional: asked.length > 0 },
    );
    if (end.price !== '0')
      this.checkPrice(act.name, end, end.closePrice, act.invoked, act.answered);
    return [act];
  }

  /** From the financial records that were read. */
  private moneyActs(): AccountOperation[] {
    const acts: AccountOperation[] = [];
    const seen = new Map<number, { at: number; row: RecordPageRow['list'][number] }>();
    for (const { call, at, data } of this.done) {
      if (call.path !== RECORDS) continue;
      for (const row of (data as RecordPageRow).list) {
        if (!seen.has(row.Id)) seen.set(row.Id, { at, row });
      }
    }
    const rows = [...seen.values()].sort((a, b) => a.row.Id - b.row.Id);
    const sums = new Map<number, bigint>();
    for (const { at, row } of rows) {
      const amount = model.micro(row.Value);
      const number = Number(/(\d+)/.exec(row.MemoTran)?.[1]);
      if (row.Type === ENTRY_TYPES.swap) {
        const sum = (sums.get(number) ?? 0n) + amount;
        sums.set(number, sum);
        acts.push(this.night(number, amount, sum, at));
      }
      if (row.Type === ENTRY_TYPES.deposited && number > 0)
        acts.push(
          reviewed(`deposit ${number} is credited`, at, (account) =>
            model.credit(account, number, amount),
          ),
        );
      if (row.Type === ENTRY_TYPES.withdrawal_returned)
        acts.push(
          reviewed(`withdrawal ${number} is returned`, at, (account) =>
            model.decide(account, number, false),
          ),
        );
    }
    for (const { id, status_name } of this.rowsOf<WithdrawalRow>(DRAWN)) {
      if (status_name !== 'Paid') continue;
      // It moves nothing that the records tell.
      const at = this.history.calls.findLast(({ path }) => path === DRAWN)?.answered?.at ?? NEVER;
      acts.push(
        reviewed(`withdrawal ${id} is paid`, at, (account) => model.decide(account, id, true)),
      );
    }
    return acts;
  }

  /** `sum`: what the order has been charged with it. Closed parts take their share along. */
  private night(id: number, amount: bigint, sum: bigint, at: number): AccountOperation {
    const isSplit = this.calls(CLOSE).some((row) => row.Id === id && row.Status === HOLDING);
    const sights = isSplit || amount === 0n ? [] : this.sightsOf(id);
    const isAfter = ({ swap }: Order) => (amount < 0n ? swap <= sum : swap >= sum);
    const act = this.act(
      `order ${id} is charged ${amount} for a night`,
      sights,
      isAfter,
      (account) => model.charge(account, id, amount),
      { pushes: 'never' },
    );
    return { ...act, answered: Math.min(act.answered, at) };
  }

  /** Orders that were answered to these calls. */
  private calls(...paths: string[]): OrderRow[] {
    return this.done.flatMap(({ call, data }) =>
      paths.includes(call.path) ? [data as OrderRow] : [],
    );
  }

  /** What pushes alone have seen of a call that was not answered: it was so for a moment. */
  private glimpses(): AccountOperation[] {
    const told = new Set(
      this.calls(SUBMIT, AMEND, EXITS, CANCEL, CLOSE).map((row) => textOf(model.orderOf(row))),
    );
    const asked = this.history.calls.filter(({ answered, key }) => !answered && key);
    const glimpses = new Map<string, AccountOperation>();
    for (const { at, order: row } of this.history.connections.flatMap(({ pushes }) => pushes)) {
      const order = model.orderOf(row);
      const text = textOf(order);
      const isOrphan = this.orphans.some(([orphan]) => orphan?.id === order.id);
      const isAsked = asked.some(({ params }) => Number(params['id']) === order.id);
      if (told.has(text) || glimpses.has(text) || !(isOrphan || isAsked)) continue;
      glimpses.set(text, {
        ...{ name: `a push of ${text}`, invoked: 0, answered: at, pushes: 'never', isRead: true },
        next: (account) => {
          const present = account.open.get(order.id) ?? account.closed.get(order.id);
          return present && textOf(present) === text ? [unchanged(account)] : [];
        },
      });
    }
    return [...glimpses.values()];
  }

  private hasUnanswered(path: string, id: number): boolean {
    return this.history.calls.some(
      ({ path: own, params, answered }) => own === path && !answered && Number(params['id']) === id,
    );
  }

  private unansweredOf(id: number | undefined): number {
    return this.history.calls.filter(
      ({ key, answered, params }) => key && !answered && Number(params['id']) === id,
    ).length;
  }

  private checkPushes(steps: readonly Step<Account>[]): void {
    const changes = changesOf(steps);
    for (const [index, connection] of this.history.connections.entries()) {
      const socket = `socket ${index + 1}`;
      const pushed = connection.pushes.map(({ at, order }) => ({
        at,
        order: model.orderOf(order),
      }));
      const times = new Map<string, number[]>();
      for (const { at, order } of pushed) {
        const text = textOf(order);
        times.set(text, [...(times.get(text) ?? []), at]);
      }
      for (const [text, ats] of times) {
        const same = changes.filter((change) => change.text === text);
        if (same.length === 0) this.found.push(`${socket}: no change explains the push ${text}`);
        // Stops that follow the price are pushed again and again; a call without an answer may have changed nothing.
        else if (
          ats.length > same.length + this.unansweredOf(same[0]?.id) &&
          !same.some(({ follows }) => follows)
        )
          this.found.push(`${socket}: pushed ${ats.length} times, changed ${same.length}: ${text}`);
      }
      const isPushed = ({ text }: Change) => times.has(text);
      const { settled = 0, loggedIn } = connection;
      const later = changes.filter((change) => change.invoked > loggedIn);
      // An order may look again as it did before.
      const surely = later.filter(
        (change) => isPushed(change) && changes.filter(same(change)).length === 1,
      );
      const last = Math.max(0, ...surely.map(({ invoked }) => invoked));
      for (const change of later) {
        if (!change.isAlwaysPushed || isPushed(change)) continue;
        if (change.answered < settled || change.answered < last)
          this.found.push(`${socket}: no push of ${change.text} (${change.name})`);
      }
      this.checkOrder(socket, changes, times);
      const ended = new Set<number>();
      for (const { order } of pushed) {
        if (ended.has(order.id))
          this.found.push(`${socket}: ${textOf(order)} is pushed after its end`);
        if (order.status === CLOSED) ended.add(order.id);
      }
    }
  }

  /**
   * While an order was surely as it was, no price that everybody had by then may have triggered it. Changes that ran at the same
   * time, and calls without an answer, may have happened otherwise than in these steps.
   */
  private checkTriggers(steps: readonly Step<Account>[]): void {
    const settled = Math.max(0, ...this.history.connections.map(({ settled = 0 }) => settled));
    const changed = steps.flatMap(({ operation, state }) =>
      state.changed.map((order) => ({ order, ...operation })),
    );
    for (const [at, { order, invoked, answered }] of changed.entries()) {
      const isOther = (other: { order: Order }) => other.order.id === order.id;
      const former = changed.slice(0, at).filter(isOther);
      if (former.some((other) => other.answered > invoked)) continue;
      if (this.unansweredOf(order.id) > 0) continue;
      const later = changed.slice(at + 1).filter(isOther);
      const until = Math.min(settled, ...later.map((other) => other.invoked));
      const prices = (this.prices.get(order.instrument) ?? []).filter(
        ({ begun, ended }) => begun > answered && ended < until,
      );
      const missed = missedTrigger(order, prices);
      if (missed) this.found.push(`${missed} did not trigger ${textOf(order)}`);
    }
  }

  /** Of one order, what came later is pushed later. It may look again as it did before: then nothing is said. */
  private checkOrder(socket: string, changes: readonly Change[], times: Map<string, number[]>) {
    const byOrder = new Map<number, Change[]>();
    for (const change of changes)
      byOrder.set(change.id, [...(byOrder.get(change.id) ?? []), change]);
    for (const own of byOrder.values()) {
      for (const [at, change] of own.entries()) {
        const next = own[at + 1];
        if (!next || next.text === change.text || own.filter(same(change)).length > 1) continue;
        if (own.filter(same(next)).length > 1 || change.follows) continue;
        const first = times.get(change.text)?.[0];
        const second = times.get(next.text)?.[0];
        if (first !== undefined && second !== undefined && second < first)
          this.found.push(`${socket}: ${next.text} was pushed before ${change.text}`);
      }
    }
  }
}

/** A version of an order, and the operation that made it. */
interface Change {
  readonly id: number;
  readonly text: string;
  readonly name: string;
  readonly invoked: number;
  readonly answered: number;
  readonly follows: boolean;
  readonly isAlwaysPushed: boolean;
}

const same =
  ({ text }: Change) =>
  (other: Change) =>
    other.text === text;

function changesOf(steps: readonly Step<Account>[]): Change[] {
  const changes = steps.flatMap(({ operation, state }) => {
    const { name, invoked, answered, pushes } = operation as AccountOperation;
    return state.changed.map((order) => ({
      ...{ id: order.id, text: textOf(order), name, invoked, answered, pushes },
      follows: order.trailing !== '0' && order.status === HOLDING,
    }));
  });
  return changes.map(({ pushes, ...change }, at) => {
    const isLast = !changes.slice(at + 1).some(({ id }) => id === change.id);
    const isAlwaysPushed = pushes === 'always' || (pushes === 'unless changed again' && isLast);
    return { ...change, isAlwaysPushed };
  });
}

/** What would have triggered an order, whichever of the prices of a moment is asked. A stop-loss that follows is not judged. */
function missedTrigger(order: Order, changes: readonly PriceChange[]): string | undefined {
  const reached = (limit: string, isBelow: boolean) =>
    limit !== '0' &&
    changes.some(({ prices }) =>
      prices.every((price) => (isBelow ? Number(price) <= +limit : Number(price) >= +limit)),
    );
  const { status, side, origin, stopLoss, takeProfit, trailing } = order;
  // Whether it waits for a rise or a fall nobody has said.
  if (status === PENDING)
    return reached(origin, true) && reached(origin, false) ? `the price ${origin}` : undefined;
  if (status !== HOLDING || trailing !== '0') return undefined;
  if (reached(stopLoss, side === 1)) return `the stop-loss ${stopLoss}`;
  return reached(takeProfit, side !== 1) ? `the take-profit ${takeProfit}` : undefined;
}

function unchanged(account: Account): Account {
  return account.changed.length === 0 ? account : { ...account, changed: [] };
}

function changes(
  change: (account: Account) => Account | undefined,
  pushes: AccountOperation['pushes'] = 'always',
): Effect[] {
  const next = (account: Account) => {
    const reached = change(account);
    return reached ? [reached] : [];
  };
  return [{ next, pushes }];
}

function reads(isShown: (account: Account) => boolean): Effect[] {
  const next = (account: Account) => (isShown(account) ? [unchanged(account)] : []);
  return [{ pushes: 'never', isRead: true, next }];
}

function reviewed(
  name: string,
  answered: number,
  change: (account: Account) => Account | undefined,
): AccountOperation {
  const [operation] = changes(change, 'never');
  return { name, invoked: 0, answered, pushes: 'never', next: operation?.next ?? (() => []) };
}

/** Orders and balance of a list are of two moments. */
function listed(
  { params }: Call,
  { data, total, balance, all_fact_profits, all_trade_fee, all_swap }: OrderPageRow,
): Effect[] {
  const status = Number(params['status'] ?? PENDING);
  const page = Number(params['page'] ?? 1);
  const limit = Number(params['limit'] ?? 20);
  const shown = data.map((row) => textOf(model.orderOf(row)));
  const shows = ({ open, closed }: Account) => {
    const orders = (status === CLOSED ? [...closed.values()] : [...open.values()]).filter(
      (order) => order.status === status,
    );
    if (orders.length !== total) return false;
    orders.sort(newestFirst);
    const of = (name: 'profit' | 'swap') => orders.reduce((sum, order) => sum + order[name], 0n);
    const fees = orders.reduce((sum, { price, fee }) => sum + (price === '0' ? 0n : fee), 0n);
    if (status !== PENDING && all_trade_fee !== undefined && model.micro(all_trade_fee) !== fees)
      return false;
    if (all_swap !== undefined && model.micro(all_swap) !== of('swap')) return false;
    if (status === CLOSED && model.micro(all_fact_profits) !== of('profit')) return false;
    const found = orders.slice((page - 1) * limit, page * limit);
    return found.length === shown.length && found.every((each, at) => textOf(each) === shown[at]);
  };
  return [...reads(shows), ...reads((account) => model.micro(balance) === account.balance)];
}

/** Closed ones by closing time, others by opening time, then id. */
function newestFirst(a: Order, b: Order): number {
  const time = (order: Order) => order.completedAt || order.createdAt;
  return time(a) === time(b) ? b.id - a.id : time(a) < time(b) ? 1 : -1;
}

function showsBalances(
  account: Account,
  { balance, lock_balance, ...more }: BalanceRow & Partial<AccountSummaryRow>,
): boolean {
  const { caution_money = undefined } = more;
  if (model.micro(balance) !== account.balance) return false;
  if (model.micro(lock_balance) !== model.frozenOf(account)) return false;
  return caution_money === undefined || model.micro(caution_money) === model.marginOf(account);
}

/** All records add up to the balance. */
function showsRecords({ balance, entries }: Account, { list, total }: RecordPageRow): boolean {
  if (total !== entries) return false;
  if (list.length < total) return true;
  return list.reduce((sum, { Value }) => sum + model.micro(Value), 0n) === balance;
}

/** What an answer says that was not asked for. */
function termsProblem({ path, params }: Call, order: Order): string | undefined {
  const id = params['id'];
  if (id !== undefined && Number(id) !== order.id) return `answers order ${order.id}`;
  if (path === SUBMIT) {
    const { type, forex_id, multiple } = params;
    if (Number(type) !== order.side) return `answers side ${order.side}`;
    if (Number(forex_id) !== order.instrument) return `answers instrument ${order.instrument}`;
    if (order.leverage !== '0' && plainNumber(multiple) !== order.leverage)
      return `answers leverage ${order.leverage}`;
  }
  if (path === SUBMIT || path === AMEND) {
    if (plainNumber(params['cont']) !== order.lots) return `answers ${order.lots} lots`;
    if (plainNumber(params['target_price']) !== order.origin) return `answers ${order.origin}`;
    if (isPending(params) && Number(params['until'] ?? 0) !== order.until)
      return `answers until ${order.until}`;
  }
  if (![SUBMIT, AMEND, EXITS].includes(path)) return undefined;
  const { stopLoss, takeProfit, trailing } = exitsOf(params);
  if (takeProfit !== order.takeProfit || trailing !== order.trailing) return 'answers other exits';
  return trailing === '0' && stopLoss !== order.stopLoss ? 'answers another stop-loss' : undefined;
}

/** An amendment has no `status`: it is always of a pending order. */
const isPending = ({ status = '0' }: Call['params']) => status === '0';

function exitsOf(params: Call['params']) {
  return {
    stopLoss: plainNumber(params['stop_loss_price']),
    takeProfit: plainNumber(params['target_profit_price']),
    trailing: plainNumber(params['trailing']),
  };
}

function distinct(orders: readonly Order[]): Order[] {
  return [...new Map(orders.map((order) => [textOf(order), order])).values()];
}

/** What a call without an answer may have placed, as it was then, from what was seen of it later. */
function firstStates(sights: readonly Order[], params: Call['params']): Order[] {
  const { forex_id, type, cont } = params;
  const states = sights.flatMap((seen) => {
    const isAsked =
      Number(forex_id) === seen.instrument &&
      Number(type) === seen.side &&
      plainNumber(cont) === seen.lots;
    if (!isAsked) return [];
    const exits = exitsOf(params);
    const origin = plainNumber(params['target_price']);
    const until = isPending(params) ? Number(params['until'] ?? 0) : 0;
    const first = { ...seen, ...exits, ...UNENDED, origin, until, swap: 0n };
    const pending: Order = { ...first, status: PENDING, price: '0' };
    const filled: Order = { ...first, status: HOLDING };
    if (!isPending(params)) return [filled];
    return seen.price === '0' ? [pending] : [filled, pending];
  });
  return seenFirst(states, sights);
}

/** What somebody has seen, where anybody has. */
function seenFirst(states: readonly Order[], sights: readonly Order[]): Order[] {
  const texts = new Set(sights.map(textOf));
  const all = distinct(states);
  const seen = all.filter((order) => texts.has(textOf(order)));
  return seen.length > 0 ? seen : all;
}

const UNENDED = { reason: '', closePrice: '0', profit: 0n, completedAt: '' };

/** An order with the terms of an amendment, if these are they. */
function withTerms(seen: Order, params: Call['params']): Order[] {
  const { cont, target_price, until = '0' } = params;
  const isAsked =
    plainNumber(cont) === seen.lots &&
    plainNumber(target_price) === seen.origin &&
    Number(until) === seen.until;
  if (!isAsked) return [];
  const amended: Order = { ...seen, ...exitsOf(params), ...UNENDED, swap: 0n, status: PENDING };
  const pending: Order = { ...amended, price: '0' };
  return seen.price === '0' ? [pending] : [{ ...amended, status: HOLDING }, pending];
}

function isFilledBy({ Id, Status }: OrderRow, id: number): boolean {
  return Id === id && Status !== PENDING;
}

function nameOf({ path, params, invoked, answered }: Call): string {
  return `[${invoked}–${answered?.at ?? ''}] ${path}?${new URLSearchParams(params)}`;
}

/** Of the last steps of the longest attempt, and of what did not fit. */
const SHOWN = 5;

function textOfVerdict(verdict: Exclude<Verdict<Account>, { verdict: 'linearizable' }>): string {
  const { order, stuck } = verdict;
  const account = order.at(-1)?.state;
  const state = account && {
    balance: account.balance,
    open: [...account.open.values()].map(textOf),
  };
  return [
    verdict.verdict === 'undecided'
      ? `undecided after ${verdict.tried} states; the longest attempt has ${order.length} operations`
      : `not linearizable after ${order.length} operations`,
    ...order.slice(-SHOWN).map(({ operation }) => `  ${operation.name}`),
    `  state: ${JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`,
    ...stuck.slice(0, SHOWN).map(({ name }) => `  does not fit: ${name}`),
  ].join('\n');
}
