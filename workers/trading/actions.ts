import type { ReadOrder } from '#domain/api/trading';
import { toText } from '#domain/core/decimal';
import { type Done, failed, type Result, success } from '#domain/core/result';
import { type Lots, toLots } from '#domain/core/units';
import { amendedTicket } from '#domain/trading/amendment';
import { fillPrice } from '#domain/trading/fill';
import type { Order } from '#domain/trading/order';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { RequestSubject } from '#domain/worker/requests';
import type { TradingWorkerApi } from '#domain/worker/trading';
import type { WorkerEvent } from '#domain/worker/workerApi';
import type { Session } from '../account/session';
import { showSuccess } from '../http/notices';
import * as calls from '../http/orderChanges';
import type { Prices } from '../pricing/prices';
import type { LiveTicket } from '../pricing/ticket';
import type { IdempotentRequests } from '../requests/types';
import type { Identify } from './identify';
import type { OpenOrders } from './openOrders';

export interface ActionsOptions {
  requests: IdempotentRequests;
  session: Session;
  openOrders: OpenOrders;
  identify: Identify;
  prices: Prices;
  ticket: LiveTicket;
  emit: (event: WorkerEvent) => void;
  /** As Pushes.closedPart. */
  closedPart: (rest: Order, lots: Lots) => Promise<Order | undefined>;
  /** The balances have to be fetched again. `ordersChanged`: so have orders. */
  moneyMoved: (ordersChanged: boolean) => void;
  /** The orders that are known may be out of date: fetch them again. */
  listAgain: () => void;
}

export type Actions = Pick<
  TradingWorkerApi,
  'submit' | 'closeOrder' | 'closePart' | 'cancelOrder' | 'amendOrder' | 'setExits' | 'resetDemo'
>;

/** Sends a change of one order and applies its answer, unless the session has changed meanwhile. */
export type Changing = (
  send: () => Promise<Result<Done<ReadOrder>>>,
) => Promise<Result<Done<Order>>>;

/** Changes of orders by the user, each done exactly once (architecture.md#an-order). */
export interface OrderChanges {
  readonly actions: Actions;
  readonly changing: Changing;
}

export function createActions(options: ActionsOptions): OrderChanges {
  const { requests, session, openOrders, emit } = options;

  const changing: Changing = async (send) => {
    const { token } = session;
    const sentAt = openOrders.beginRequest();
    const sent = await send();
    const result = sent.ok
      ? success({ ...sent.data, data: sent.data.data && options.identify(sent.data.data) })
      : sent;
    if (session.token === token) {
      const order = result.ok ? result.data.data : undefined;
      const known = order !== undefined && openOrders.applyAnswer(order, sentAt);
      const done = result.ok || result.failure.kind === 'transport';
      // An answer that could not be read may be of an order that was made.
      if (done && !known) options.listAgain();
      options.moneyMoved(result.ok);
    }
    openOrders.endRequest(sentAt);
    return result;
  };

  /** How a change of an order is sent; names the order where it is known. */
  function sendingOf(kind: RequestSubject['kind'], id: number, key: string, lots?: string) {
    const order = openOrders.get(id);
    const named = order && { ...nameOf(order), ...(lots !== undefined && { lots }) };
    return { key, subject: { kind, ...(named && { order: named }) } };
  }

  /** Shows the server's text for a close, with what was closed once that is known. */
  async function showClosed(
    sent: Promise<Result<Done<Order>>>,
    closedOf: (answer: Order) => Order | Promise<Order | undefined>,
  ): Promise<Result<Done<Order>>> {
    const result = await sent;
    if (result.ok && result.data.text)
      void showClosedText(result.data.text, result.data.data && closedOf(result.data.data));
    return result;
  }

  async function showClosedText(
    text: string,
    known: Order | undefined | Promise<Order | undefined>,
  ) {
    const closed = await known;
    emit({ type: 'notice', tone: 'info', text, ...(closed && { closed }) });
  }

  /** Shows the first rule that a ticket breaks. */
  async function refused(input: TicketInput): Promise<Result<never> | undefined> {
    const problem = await options.ticket.problem(input);
    if (!problem) return undefined;
    const failure = { kind: 'invalid', message: problem.message } as const;
    emit({ type: 'failure', failure });
    return failed(failure);
  }

  const actions: Actions = {
    async submit(input, key) {
      const refusal = await refused(input);
      if (refusal) return refusal;
      const { price, instrument, topOfBook } = options.prices.of(input.instrumentId);
      const { side, lots } = input;
      const targetPrice =
        input.targetPrice || (price ? toText(fillPrice(side, price, topOfBook)) : '');
      const order = { side, lots, name: instrument?.name ?? '' };
      const sending = { key, subject: { kind: 'submit', order } } as const;
      return changing(() => calls.submit(requests, { ...input, targetPrice }, sending));
    },
    closeOrder(seen, key, quiet = false) {
      const closed = changing(() =>
        calls.close(requests, seen, { ...sendingOf('close', seen.id, key), quiet }),
      );
      return quiet ? closed : showClosed(closed, (order) => order);
    },
    closePart: (seen, lots, key) =>
      showClosed(
        changing(() => calls.close(requests, seen, sendingOf('close', seen.id, key, lots), lots)),
        (rest) => options.closedPart(rest, toLots(lots)),
      ),
    cancelOrder: (id, key) =>
      changing(() => calls.cancel(requests, id, sendingOf('cancel', id, key))),
    async amendOrder(id, terms, key) {
      const order = openOrders.get(id);
      const refusal = order && (await refused(amendedTicket(order, terms)));
      return (
        refusal ?? changing(() => calls.amend(requests, id, terms, sendingOf('amend', id, key)))
      );
    },
    setExits: (id, exits, key, quiet = false) =>
      changing(() =>
        calls.setExits(requests, id, exits, { ...sendingOf('stops', id, key), quiet }),
      ),
    async resetDemo(key) {
      const { token } = session;
      const result = await showSuccess(emit, calls.resetDemo(requests, key));
      if (result.ok && session.token === token) {
        options.listAgain();
        options.moneyMoved(true);
      }
      return result;
    },
  };
  return { actions, changing };
}

/** How an order is named where its request is unanswered. */
export function nameOf({ side, lots, name }: Order): NonNullable<RequestSubject['order']> {
  return { side, lots: toText(lots), name };
}
