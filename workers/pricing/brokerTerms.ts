import { basicInfo } from '#domain/api/common';
import type { Price } from '#domain/core/units';
import { fillPrice, OPPOSITE, type QuoteFill } from '#domain/trading/fill';
import type { FeeType } from '#domain/trading/margin';
import type { Order, Side } from '#domain/trading/order';
import type { Clock } from '../core/ports';
import { createRetry } from '../core/retry';
import { callRead } from '../http/ask';
import type { Http } from '../http/client';
import { OWN } from '../http/trading';
import type { Priced } from './prices';

/** How the broker charges and fills (protocol.md#basic-settings). */
export interface BrokerTerms {
  feeType: FeeType;
  /** What bid and ask decide (domain.md#fill-at-bid-and-ask). */
  quoteFill: QuoteFill;
}

/** What decides at which side of a quote an order is judged. */
export type Judged = Pick<Order, 'side' | 'status'>;

/** The broker's terms, fetched once they are needed. */
export interface LiveTerms {
  /** Undefined while unknown. */
  readonly current: BrokerTerms | undefined;
  need(): void;
  /** Fetches the terms again: the server may have others after a loss of the connection. */
  invalidate(): void;
  /** What closing an order by hand would be at; undefined: the latest price. */
  closingPrice(order: Pick<Order, 'side'>, priced: Priced): Price | undefined;
  /** What an order is worth, or judged by: a position closes at it, a pending order opens at it; undefined: the latest price. */
  judgedPrice(order: Judged, priced: Priced): Price | undefined;
}

export function createBrokerTerms(clock: Clock, http: Http, known: () => void): LiveTerms {
  const retry = createRetry(clock, () => void load());
  let current: BrokerTerms | undefined;
  let needed = false;

  async function load(): Promise<void> {
    const result = await callRead(http, basicInfo, {}, OWN);
    if (!result.ok || !result.data.feeType) {
      retry.schedule(result.ok ? undefined : result.failure);
      return;
    }
    retry.end();
    current = { feeType: result.data.feeType, quoteFill: result.data.quoteFill };
    known();
  }

  return {
    get current() {
      return current;
    },
    need() {
      if (needed) return;
      needed = true;
      void load();
    },
    invalidate() {
      if (needed) void load();
    },
    closingPrice: ({ side }, priced) => quotedPrice(OPPOSITE[side], priced),
    judgedPrice({ side, status }, priced) {
      if (current?.quoteFill !== 2) return undefined;
      return quotedPrice(status === 'pending' ? side : OPPOSITE[side], priced);
    },
  };
}

/** What an order of this side is filled at; undefined where bid and ask decide nothing. */
function quotedPrice(side: Side, { price, topOfBook }: Priced): Price | undefined {
  return topOfBook && price && fillPrice(side, price, topOfBook);
}
