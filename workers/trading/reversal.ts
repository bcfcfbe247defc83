import { type Failure, failed, success } from '#domain/core/result';
import type { UnixMs } from '#domain/core/time';
import type { AccountTotals } from '#domain/trading/accountSummary';
import { amendedTicket } from '#domain/trading/amendment';
import type { Order } from '#domain/trading/order';
import { accountAfterClose, oppositeTicket } from '#domain/trading/reversal';
import { closeProblem, slowDeviation } from '#domain/trading/rules';
import type { RequestSubject } from '#domain/worker/requests';
import type { TradingWorkerApi } from '#domain/worker/trading';
import type { WorkerEvent } from '#domain/worker/workerApi';
import type { Session } from '../account/session';
import { showFailure } from '../http/notices';
import * as calls from '../http/orderChanges';
import { type Positions, profitNow } from '../pricing/positions';
import { createTicket, type TicketOptions } from '../pricing/ticket';
import type { IdempotentRequests } from '../requests/types';
import { type Changing, nameOf } from './actions';
import type { OpenOrders } from './openOrders';

export interface ReversalOptions extends TicketOptions {
  requests: IdempotentRequests;
  session: Pick<Session, 'token'>;
  orders: OpenOrders;
  /** As Positions.live. */
  live: (order: Order) => Order;
  positions: Pick<Positions, 'followed' | 'terms'>;
  changing: Changing;
  /** Whether prices come every few seconds. */
  slow: () => boolean;
  emit: (event: WorkerEvent) => void;
}

/**
 * Previews the order that takes the place of another, amended or opposite, and reverses a position: closes it, then
 * opens the opposite one (domain.md#reversing). The opposite order first would need twice the margin, and leave a hedge if the close fails.
 * No reloaded page continues it, because the confirmed price is not on the screen any more.
 */
export interface Reversal {
  /** As TradingWorkerApi.setChange. */
  set: TradingWorkerApi['setChange'];
  /** As TradingWorkerApi.reverseOrder; `confirmed`: when the user confirmed it, from which both calls have their time. */
  reverse(
    confirmed: UnixMs,
    ...args: Parameters<TradingWorkerApi['reverseOrder']>
  ): ReturnType<TradingWorkerApi['reverseOrder']>;
  readonly ticket: Pick<ReturnType<typeof createTicket>, 'invalidate' | 'drainPreview'>;
}

export function createReversal(options: ReversalOptions): Reversal {
  const { requests, session, orders, changing, emit } = options;
  /** The order whose change is previewed or checked. */
  let replaced: number | undefined;

  /** The order, at the latest price, while it is open. */
  function former(): Order | undefined {
    const order = replaced === undefined ? undefined : orders.get(replaced);
    return order && options.live(order);
  }

  /** The account as the new order finds it: that of a pending one has its margin back. */
  function account(): AccountTotals | undefined {
    const [known, order] = [options.account(), former()];
    const followed = order && options.positions.followed(order);
    const price = followed && options.positions.terms?.closingPrice(order, followed);
    const booked = price && profitNow(order, { instrument: followed?.instrument, price });
    return known && order && accountAfterClose(known, order, booked);
  }

  const ticket = createTicket({
    ...options,
    account,
    ordersOf: (instrumentId) => options.ordersOf(instrumentId).filter(({ id }) => id !== replaced),
    openOrders() {
      const count = options.openOrders();
      return count && count - 1;
    },
  });

  function refuse(failure: Failure) {
    showFailure(emit, failure);
    return failed(failure);
  }

  return {
    ticket,
    set(change) {
      replaced = change?.id;
      const order = former();
      const terms = change?.terms;
      ticket.set(order && (terms ? amendedTicket(order, terms) : oppositeTicket(order, '')));
    },
    async reverse(confirmed, seen, quoteSeen, keys) {
      const { id } = seen;
      const order = orders.get(id);
      const ended = closeProblem(order?.status ?? 'closed', { marketOpen: true });
      if (!order || ended)
        return refuse({ kind: 'invalid', message: ended ?? { key: 'orderEnded' } });
      replaced = id;
      const deviation = options.slow() ? slowDeviation(quoteSeen) : '';
      const problem = await ticket.problem(oppositeTicket(order, quoteSeen, deviation), true);
      if (problem) return refuse({ kind: 'invalid', message: problem.message });

      const { token } = session;
      const named = { order: nameOf(order) };
      const first = await changing(() =>
        calls.close(requests, seen, {
          key: keys.close,
          subject: { kind: 'reverse', ...named },
          confirmed,
          continued: true,
        }),
      );
      if (!first.ok) return first;
      // The order as it was, where the answer can't be read.
      const closed = first.data.data ?? order;
      // Another user must not send it; whoever logs in again is told what was done.
      if (session.token !== token) return success({ closed, opened: undefined });
      const subject: RequestSubject = { kind: 'opposite', ...named, closed };
      const second = await changing(() =>
        calls.submit(requests, oppositeTicket(closed, quoteSeen, deviation), {
          key: keys.open,
          subject,
          confirmed,
          continues: keys.close,
          quiet: true,
        }),
      );
      return success({ closed, opened: second.ok ? (second.data.data ?? 'unread') : undefined });
    },
  };
}
