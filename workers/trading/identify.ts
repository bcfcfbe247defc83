import type { ReadOrder } from '#domain/api/trading';
import type { Order } from '#domain/trading/order';
import type { InstrumentList } from '../market/list';

/** Fills in what the server did not send of an order's instrument. */
export type Identify = (order: ReadOrder) => Order;

export interface Identification {
  readonly identify: Identify;
  /** Whether an instrument was not listed when it was looked for; then orders have to be read again. */
  missed(): boolean;
}

/**
 * Takes it from the list of instruments, by code (protocol.md#order). While it is not listed, the
 * order has no instrument, and as many decimals as its own prices.
 */
export function createIdentification(list: Pick<InstrumentList, 'instrumentOf'>): Identification {
  let missing = false;
  return {
    identify(order) {
      const { instrumentId, precision, code, name } = order;
      // Of an order of another feed the server sends 0: what is listed under its code has other prices.
      const lacks = instrumentId === undefined || (instrumentId > 0 && precision === undefined);
      const instrument = lacks ? list.instrumentOf(code, name) : undefined;
      if (lacks && !instrument) missing = true;
      return {
        ...order,
        instrumentId: instrumentId ?? instrument?.id ?? 0,
        code: code || (instrument?.code ?? ''),
        precision: precision ?? instrument?.precision ?? decimalsOf(order),
      };
    },
    missed() {
      const before = missing;
      missing = false;
      return before;
    },
  };
}

function decimalsOf({ originPrice, price, updatePrice }: ReadOrder): number {
  return Math.max(0, originPrice.scale, price.scale, updatePrice.scale);
}
