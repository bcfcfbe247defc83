import { readPrice } from '#domain/core/readAmounts';
import type { Price } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { TopOfBook } from '#domain/market/topOfBook';
import type { QuoteFill } from '#domain/trading/fill';
import type { Instruments } from '../market/instruments';

/** An instrument and its latest price, read on each access. */
export interface Priced {
  /** Undefined while the instrument is not listed. */
  readonly instrument: Instrument | undefined;
  /** Undefined where there is none. */
  readonly price: Price | undefined;
  readonly marketOpen: boolean;
  /** Bid and ask; undefined where they decide nothing. */
  readonly topOfBook?: TopOfBook | undefined;
}

/** A price that is kept subscribed, on screen or not. */
export interface Followed extends Priced {
  release(): void;
}

/** The prices that money is computed from. */
export interface Prices {
  of(instrumentId: number): Priced;
  /** Calls `moved` with each change of the price, market status or terms of this instrument only; in the background only where it may notify. */
  follow(instrumentId: number, moved: () => void, mayNotify?: boolean): Followed;
  /** Calls `moved` of all: the list of instruments has changed, or what bid and ask decide. */
  allMoved(): void;
}

export function createPrices(
  { list, quotes, subscription }: Pick<Instruments, 'list' | 'quotes' | 'subscription'>,
  quoteFill: () => QuoteFill | undefined,
): Prices {
  /** Called for each follower when the list of instruments has changed. */
  const relist = new Set<() => void>();

  function of(id: number): Priced {
    let close = Number.NaN;
    let exact: Price | undefined;
    return {
      get instrument() {
        return list.instrument(id);
      },
      get price() {
        const slot = list.slot(id);
        const latest = slot === undefined ? Number.NaN : quotes.price(slot);
        // A double from the market identifies the decimal that it was parsed from (D1).
        if (latest !== close) exact = readPrice(latest);
        close = latest;
        return exact;
      },
      get marketOpen() {
        const slot = list.slot(id);
        return slot !== undefined && quotes.isOpen(slot);
      },
      get topOfBook() {
        return quoteFill() ? quotes.topsOfBook.get(id) : undefined;
      },
    };
  }

  return {
    of,
    follow(id, moved, mayNotify = false) {
      let slot = list.slot(id);
      let unlisten = slot === undefined ? () => {} : quotes.listen(slot, moved);
      const release = subscription.retain(id, mayNotify);
      const listed = () => {
        if (list.slot(id) !== slot) {
          unlisten();
          slot = list.slot(id);
          unlisten = slot === undefined ? () => {} : quotes.listen(slot, moved);
        }
        moved();
      };
      relist.add(listed);
      return Object.assign(of(id), {
        release() {
          relist.delete(listed);
          unlisten();
          release();
        },
      });
    },
    allMoved() {
      for (const listed of relist) listed();
    },
  };
}
