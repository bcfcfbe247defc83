import { failed, type Result, success } from '#domain/core/result';
import { isTrade } from '#domain/trading/results';
import type { PastTrades, TradingWorkerApi } from '#domain/worker/trading';
import type { Session } from '../account/session';
import type { Http } from '../http/client';
import { createHistory, type History } from './history';
import type { Identify } from './identify';
import { createOrderWindows, type OrderWindows, type OrderWindowsOptions } from './orderWindows';

export interface OrderListsOptions extends Omit<OrderWindowsOptions, 'history'> {
  http: Http;
  identify: Identify;
}

/** The lists of orders, open and closed. Loaded when the first is asked for: the first prices do not need them. */
export interface OrderLists {
  orders: OrderWindows;
  history: History;
  pastTrades: TradingWorkerApi['pastTrades'];
}

export function createOrderLists({ http, identify, ...options }: OrderListsOptions): OrderLists {
  const history = createHistory(http, identify);
  return {
    history,
    orders: createOrderWindows({ ...options, history }),
    pastTrades: createPastTrades(options.session, history),
  };
}

/** Orders of a page, and pages of one call: a chart shows the first of them soon. */
const SIZE = 100;
const PAGES = 2;
/** Of a long history a chart looks through the newest orders only. */
const MOST = 2000;

/** The past trades of a chart (screens.md#past-trades). */
function createPastTrades(session: Session, history: History): TradingWorkerApi['pastTrades'] {
  return async (instrumentId, from): Promise<Result<PastTrades>> => {
    await session.ready;
    if (!session.token) return success({ trades: [], complete: true });
    const found = await history.since(from, PAGES, SIZE);
    if (!found.ok) return found;
    const { orders, complete, failure } = found.data;
    // A chart asks again, and what is known is shown meanwhile.
    if (failure) return failed(failure);
    return success({
      trades: orders
        .filter(isTrade)
        .filter((order) => order.instrumentId === instrumentId && order.completedAt >= from),
      complete: complete || orders.length >= MOST,
    });
  };
}
