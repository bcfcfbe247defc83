import type { TradingWorkerApi } from '#domain/worker/trading';
import type { Http } from '../http/client';
import { createHistory, type History } from './history';
import type { Identify } from './identify';
import { createOrderWindows, type OrderWindows, type OrderWindowsOptions } from './orderWindows';
import { createPastTrades } from './pastTrades';

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
