import { vi } from 'vitest';
import type { OrderPageRow } from '#domain/api/trading';
import { isZero, ZERO } from '#domain/core/decimal';
import { toPrice } from '#domain/core/units';
import { Matching } from '#domain/trading/matching';
import type { OrderState } from '#domain/trading/orderState';
import type { RenderedEnvelope } from '../../../server/http/envelope';
import { BatchedRequests } from '../../../server/idempotency/batchedRequests';
import { Ledger } from '../../../server/ledger/ledger';
import { Logins } from '../../../server/socket/logins';
import { MatchingEngine } from '../../../server/trading/matchingEngine';
import { Portfolio } from '../../../server/trading/portfolio';

/** Asked where something may go wrong; true once, at a moment that the seed draws. */
type Now = () => boolean;

/** Plants a mistake, which is made where it is asked and users can see it. */
type WrongServer = (now: Now) => void;

/** What users read of an account between two of its orders, and what they read before: while nothing else is under way. */
function stale<Result>(now: Now, content: (result: Result) => string) {
  let submitted = 0;
  countSubmits(() => submitted++);
  const before = new Map<string, { result: Result; submitted: number }>();
  return async (question: string, read: () => Promise<Result>): Promise<Result> => {
    const last = before.get(question);
    const result = await read();
    const isOld = last && last.submitted < submitted && content(last.result) !== content(result);
    if (isOld && now()) return last.result;
    before.set(question, { result, submitted });
    return result;
  };
}

function countSubmits(count: (userId: number) => void): void {
  const { submit } = MatchingEngine.prototype;
  vi.spyOn(MatchingEngine.prototype, 'submit').mockImplementation(async function (
    this: MatchingEngine,
    ...args
  ) {
    const order = await submit.apply(this, args);
    count(args[1]);
    return order;
  });
}

const ids = ({ data, total }: OrderPageRow) => `${total} ${data.map(({ Id }) => Id)}`;

/** Mistakes of servers, each made once. */
export const WRONG_SERVERS: Readonly<Record<string, WrongServer>> = {
  'a lost update: memory has the account as it was before a change'(now) {
    const { commit } = privates(MatchingEngine.prototype);
    vi.spyOn(privates(MatchingEngine.prototype), 'commit').mockImplementation(async function (
      this: MatchingEngine,
      work,
      staged,
      cause,
      created,
    ) {
      const [account] = staged.accounts;
      const before = account && this.openOrders.account(account.userId);
      const isLost = created && created.closeReason === '' && before && now();
      await commit.call(this, work, staged, cause, created);
      if (isLost) this.openOrders.replace(before);
    });
  },

  'a stale read of a list'(now) {
    const { page } = Portfolio.prototype;
    const read = stale(now, ids);
    vi.spyOn(Portfolio.prototype, 'page').mockImplementation(function (this: Portfolio, ...args) {
      return read(args.join(), () => page.apply(this, args));
    });
  },

  'a balance read before its own write'(now) {
    const { summary } = Portfolio.prototype;
    const read = stale<Awaited<ReturnType<typeof summary>>>(now, ({ balance }) => balance);
    vi.spyOn(Portfolio.prototype, 'summary').mockImplementation(function (this: Portfolio, userId) {
      return read(String(userId), () => summary.call(this, userId));
    });
  },

  'a stale read of the balance'(now) {
    const { balance } = Portfolio.prototype;
    const read = stale<Awaited<ReturnType<typeof balance>>>(now, (each) => each.balance);
    vi.spyOn(Portfolio.prototype, 'balance').mockImplementation(function (this: Portfolio, userId) {
      return read(String(userId), () => balance.call(this, userId));
    });
  },

  'a doubled push'(now) {
    onPush((push, message) => {
      push();
      if (!follows(message) && now()) push();
    });
  },

  'a lost push'(now) {
    onPush((push, message) => {
      if (message.type !== 'FOREX_CLOSED' || !now()) push();
    });
  },

  'a push of another user'(now) {
    const { toUser } = Logins.prototype;
    vi.spyOn(Logins.prototype, 'toUser').mockImplementation(function (
      this: Logins,
      userId,
      message,
    ) {
      toUser.call(this, userId, message);
      const other = [userId - 1, userId + 1].find((id) => [...this.of(id)].length > 0);
      if (other !== undefined && message.type === 'FOREX_CLOSED' && now())
        toUser.call(this, other, message);
    });
  },

  'pushes in the wrong order'(now) {
    let held: (() => void) | undefined;
    let heldId = 0;
    onPush((push, message) => {
      const { data } = message as { data: { Id: number } };
      if (held && data.Id === heldId && message.type === 'FOREX_CLOSED') {
        push();
        held();
        held = undefined;
        return;
      }
      const isFirst = message.type === 'FOREX_TRADE' && !follows(message);
      if (!held && isFirst && now()) [held, heldId] = [push, data.Id];
      else push();
    });
  },

  'the answer of another key'(now) {
    const { serve } = BatchedRequests.prototype;
    const last = new Map<number, RenderedEnvelope>();
    vi.spyOn(BatchedRequests.prototype, 'serve').mockImplementation(async function (
      this: BatchedRequests,
      call,
    ) {
      const other = last.get(call.userId);
      const own = await serve.call(this, call);
      const isOther = other && idOf(other) !== idOf(own) && idOf(own) && idOf(other);
      if (isOther && now()) return other;
      last.set(call.userId, own);
      return own;
    });
  },

  'a call that is done twice'(now) {
    const { submit } = MatchingEngine.prototype;
    vi.spyOn(MatchingEngine.prototype, 'submit').mockImplementation(async function (
      this: MatchingEngine,
      ...args
    ) {
      const order = await submit.apply(this, args);
      if (now()) await submit.apply(this, args);
      return order;
    });
  },

  'writes in the wrong order: the former exits after the new ones'(now) {
    const { setExits } = MatchingEngine.prototype;
    const none = { stopLoss: ZERO, takeProfit: ZERO, trailing: ZERO };
    vi.spyOn(MatchingEngine.prototype, 'setExits').mockImplementation(async function (
      this: MatchingEngine,
      work,
      userId,
      id,
      exits,
    ) {
      const { pending, positions } = this.openOrders.account(userId) ?? {};
      const before = pending?.get(id) ?? positions?.get(id)?.order;
      const order = await setExits.call(this, work, userId, id, exits);
      const isOther = before && hasNone(before) && !hasNone(order);
      if (isOther && now()) await setExits.call(this, work, userId, id, none);
      return order;
    });
  },

  'a fill at a price that the market never had'(now) {
    const matching = privates(Matching.prototype);
    const { closingPrice } = matching;
    vi.spyOn(matching, 'closingPrice').mockImplementation(function (this: Matching, order) {
      const price = closingPrice.call(this, order);
      return now() ? toPrice('1.23457') : price;
    });
  },

  'a fee that is not charged'(now) {
    const { rowsFor } = Ledger.prototype;
    vi.spyOn(Ledger.prototype, 'rowsFor').mockImplementation(function (this: Ledger, work, all) {
      const isFree = all.some(({ kind }) => kind === 'fee') && now();
      return rowsFor.call(this, work, isFree ? all.filter(({ kind }) => kind !== 'fee') : all);
    });
  },
};

type Push = (push: () => void, message: { type: string; data: unknown }) => void;

/** Of users who have a socket. */
function onPush(handle: Push): void {
  const { toUser } = Logins.prototype;
  vi.spyOn(Logins.prototype, 'toUser').mockImplementation(function (this: Logins, userId, message) {
    const push = () => toUser.call(this, userId, message);
    if ([...this.of(userId)].length > 0) handle(push, message as { type: string; data: unknown });
    else push();
  });
}

/** Stops that follow the price are pushed again and again. */
function follows({ data }: { data: unknown }): boolean {
  const { Trailing } = data as { Trailing?: string };
  return Number(Trailing ?? 0) > 0;
}

function hasNone({ stopLoss, takeProfit, trailing }: OrderState): boolean {
  return [stopLoss, takeProfit, trailing].every(isZero);
}

function idOf({ envelope }: RenderedEnvelope): number | undefined {
  return (envelope.data as { Id?: number } | null)?.Id;
}

interface Privates {
  commit(
    work: unknown,
    staged: { accounts: Parameters<MatchingEngine['openOrders']['replace']>[0][] },
    cause: unknown,
    created?: OrderState,
  ): Promise<void>;
  closingPrice(order: OrderState): OrderState['price'];
}

const privates = (prototype: object) => prototype as unknown as Privates;
