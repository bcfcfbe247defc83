import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toText } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { toLeverage, toLots, toPrice, toUsd } from '#domain/core/units';
import type { Order, OrderStatus } from '#domain/trading/order';
import { createOpenOrders, type LogicalTime } from '../../../workers/trading/openOrders';
import { samples, seed } from '../../helpers/samples';

function order(id: number, status: OrderStatus, stop = 0): Order {
  return {
    id,
    instrumentId: 1,
    code: 'EURUSD',
    name: 'EUR/USD',
    precision: 5,
    side: 'buy',
    lots: toLots('1'),
    leverage: toLeverage('100'),
    originPrice: toPrice('1.1'),
    price: toPrice(status === 'pending' ? '0' : '1.1'),
    updatePrice: toPrice('1.1'),
    profit: toUsd('0'),
    margin: toUsd('1100'),
    fee: toUsd('5'),
    swap: toUsd('0'),
    stopLoss: toPrice(stop),
    takeProfit: toPrice('0'),
    trailing: toPrice('0'),
    until: undefined,
    status,
    createdAt: toUnixMs(0),
    completedAt: undefined,
    closeReason: '',
  };
}

function create() {
  const changes: [number | undefined, OrderStatus | undefined][] = [];
  const openOrders = createOpenOrders({
    changed: (before, after) => changes.push([(after ?? before)?.id, after?.status]),
  });
  const open = () => [...openOrders.of('pending'), ...openOrders.of('holding')].map(({ id }) => id);
  return { openOrders, changes, open };
}

describe('open orders', () => {
  it('are listed newest first, by status and by instrument', () => {
    const { openOrders } = create();
    openOrders.applyList(
      [order(1, 'holding'), order(3, 'holding'), order(2, 'pending')],
      openOrders.beginRequest(),
    );
    expect(openOrders.of('holding').map(({ id }) => id)).toEqual([3, 1]);
    expect(openOrders.of('pending').map(({ id }) => id)).toEqual([2]);
    expect(openOrders.ofInstrument(1).map(({ id }) => id)).toEqual([3, 2, 1]);
    expect(openOrders.ofInstrument(2)).toEqual([]);
    expect(toText(openOrders.marginInUse)).toBe('3300');
  });

  it.each([
    ['target', { originPrice: toPrice('1.09') }],
    ['expiry', { until: toUnixMs(1) }],
    ['lots', { lots: toLots('2') }],
    ['take-profit', { takeProfit: toPrice('2') }],
  ])('change with the %s alone', (_, change) => {
    const { openOrders, changes } = create();
    openOrders.applyPush(order(1, 'pending'));
    openOrders.applyPush(order(1, 'pending'));
    expect(changes).toHaveLength(1);
    openOrders.applyPush({ ...order(1, 'pending'), ...change });
    expect(changes).toHaveLength(2);
    expect(openOrders.get(1)).toMatchObject(change);
  });

  it('never return to an earlier state', () => {
    const { openOrders, changes } = create();
    openOrders.applyPush(order(1, 'holding'));
    openOrders.applyPush(order(1, 'pending'));
    expect(openOrders.get(1)?.status).toBe('holding');
    openOrders.applyPush(order(1, 'closed'));
    expect(openOrders.get(1)).toBeUndefined();
    expect(changes).toEqual([
      [1, 'holding'],
      [1, undefined],
    ]);
  });

  it('that arrive as push and as answer are handled once', () => {
    const { openOrders, changes } = create();
    const sentAt = openOrders.beginRequest();
    openOrders.applyPush(order(1, 'holding'));
    expect(openOrders.applyAnswer(order(1, 'holding'), sentAt)).toBe(false);
    openOrders.applyPush(order(1, 'holding'));
    expect(changes).toHaveLength(1);
    expect(openOrders.events).toBe(1);
  });

  it('are not restored by the answer to a change that a list has overtaken', () => {
    const { openOrders, open } = create();
    const submitted = openOrders.beginRequest();
    const listed = openOrders.beginRequest();
    openOrders.applyList([], listed);
    openOrders.endRequest(listed);
    expect(openOrders.applyAnswer(order(1, 'holding'), submitted)).toBe(false);
    expect(open()).toEqual([]);
  });

  it('missing from a list have ended, except those reported since its request', () => {
    const { openOrders, open } = create();
    openOrders.applyList([order(1, 'holding'), order(2, 'holding')], openOrders.beginRequest());
    const sentAt = openOrders.beginRequest();
    openOrders.applyPush(order(3, 'pending'));
    const ended = openOrders.applyList([order(2, 'holding')], sentAt);
    expect(ended.map(({ id }) => id)).toEqual([1]);
    expect(open()).toEqual([3, 2]);
  });

  it('are dropped with their user', () => {
    const { openOrders } = create();
    openOrders.applyList([order(1, 'holding')], openOrders.beginRequest());
    expect(openOrders.listed).toBe(true);
    openOrders.clear();
    expect(openOrders.listed).toBe(false);
    expect(openOrders.get(1)).toBeUndefined();
    expect(toText(openOrders.marginInUse)).toBe('0');
  });
});

/** A server, and the answers and pushes that are on their way to the client. */
class Server {
  readonly orders = new Map<number, Order>();
  pushes: Order[] = [];
  next = 1;

  change(next: Order): Order {
    if (next.status === 'closed') this.orders.delete(next.id);
    else this.orders.set(next.id, next);
    this.pushes.push(next);
    return next;
  }

  pick(which: number): Order | undefined {
    return [...this.orders.values()][which % Math.max(1, this.orders.size)];
  }

  /** Changes one order in the server. */
  act(which: number): Order | undefined {
    const one = this.pick(which >> 2);
    if (!one || which % 4 === 0)
      return this.change(order(this.next++, which % 8 ? 'pending' : 'holding'));
    if (which % 4 === 1) return this.change({ ...one, status: 'closed' });
    if (which % 4 === 2) return this.change({ ...one, status: 'holding', price: toPrice('1.1') });
    return this.change({ ...one, stopLoss: toPrice(which + 1) });
  }
}

interface Request {
  kind: 'list' | 'change';
  sentAt: LogicalTime;
  which: number;
  answer?: Order[];
}

describe('pushes and answers, in whatever order they come', () => {
  const steps = fc.array(
    fc.record({
      what: fc.constantFrom(
        ...(['act', 'list', 'change', 'serve', 'serve', 'answer', 'answer'] as const),
        ...(['push', 'push', 'reconnect'] as const),
      ),
      which: fc.nat(1000),
    }),
    { minLength: 1, maxLength: 80 },
  );

  it('lead to the state of the server', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const { openOrders } = create();
        const server = new Server();
        let changes: Request[] = [];
        const ask = (kind: Request['kind'], which = 0) =>
          changes.push({ kind, which, sentAt: openOrders.beginRequest() });
        const isFetching = () => changes.some(({ kind }) => kind === 'list');
        const serve = (request: Request | undefined) => {
          if (!request || request.answer) return;
          const acted = request.kind === 'change' ? server.act(request.which) : undefined;
          request.answer = acted ? [acted] : [...server.orders.values()];
        };
        const answer = (request: Request | undefined) => {
          if (!request?.answer) return;
          changes = changes.filter((other) => other !== request);
          const [one] = request.answer;
          if (request.kind === 'list') openOrders.applyList(request.answer, request.sentAt);
          else if (one && !openOrders.applyAnswer(one, request.sentAt) && !isFetching())
            ask('list');
          openOrders.endRequest(request.sentAt);
        };
        const push = () => {
          const pushed = server.pushes.shift();
          if (pushed) openOrders.applyPush(pushed);
        };
        for (const { what, which } of sequence) {
          const request = changes[which % Math.max(1, changes.length)];
          if (what === 'act') server.act(which);
          // One list at a time, as createFetchOpenOrders does.
          else if (what === 'list' && !isFetching()) ask('list');
          else if (what === 'change') ask('change', which);
          else if (what === 'serve') serve(request);
          else if (what === 'answer') answer(request);
          else if (what === 'push') push();
          else if (what === 'reconnect') {
            server.pushes = [];
            for (const { kind, sentAt } of changes)
              if (kind === 'list') openOrders.endRequest(sentAt);
            changes = changes.filter(({ kind }) => kind !== 'list');
            ask('list');
          }
        }
        // Everything in flight arrives, pushes in the order in which they were sent.
        for (;;) {
          push();
          const [request] = changes;
          serve(request);
          answer(request);
          if (changes.length === 0 && server.pushes.length === 0) break;
        }
        const mine = [...openOrders.of('pending'), ...openOrders.of('holding')];
        const described = (orders: Iterable<Order>) =>
          [...orders].map(({ id, status, stopLoss }) => [id, status, toText(stopLoss)]).sort();
        const theirs = server.orders.values();
        if (openOrders.listed) expect(described(mine)).toEqual(described(theirs));
      }),
      { numRuns: samples(3000, 200_000), seed },
    );
  });
});
