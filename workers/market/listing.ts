import type { ListedInstrument } from '#domain/api/read-market';
import { type Result, success } from '#domain/core/result';
import type { Http } from '../http/client';
import { tradeList } from '../http/market';

/** How a list is asked for: by the user, or by ourselves and then quietly. */
export interface Asking {
  quiet: boolean;
  initial: boolean;
}

export interface ListingOptions {
  http: Http;
  /** The subscription that stands, where one does. */
  standing: () => number | undefined;
  /** A list is here. `since`: it was asked for when the present subscription stood. */
  received: (rows: ListedInstrument[], raw: unknown, since: boolean) => void;
}

/** Fetches trade_list, once for all who ask at the same time. */
export interface Listing {
  refresh(asking: Asking): Promise<Result<void>>;
  /** The link stands anew: what is under way may have been answered before it did. */
  restart(): void;
}

export function createListing({ http, standing, received }: ListingOptions): Listing {
  let underWay: { asking: Asking; answer: Promise<Result<void>> } | undefined;
  let link = 0;

  async function fetch(asking: Asking): Promise<Result<void>> {
    for (;;) {
      const before = link;
      const asked = standing();
      const result = await tradeList(http, asking);
      if (before !== link) continue;
      underWay = undefined;
      if (!result.ok) return result;
      const since = asked !== undefined && asked === standing();
      received(unique(result.data.rows), result.data.raw, since);
      return success(undefined);
    }
  }

  return {
    refresh(asking) {
      // Whoever asks aloud must hear of a failure.
      if (underWay && (asking.quiet || !underWay.asking.quiet)) return underWay.answer;
      const answer = fetch(asking);
      underWay = { asking, answer };
      return answer;
    },
    restart() {
      link += 1;
    },
  };
}

/** A reader drops rows that it already has (protocol.md, Lists). */
function unique(rows: ListedInstrument[]): ListedInstrument[] {
  const ids = new Set<number>();
  const codes = new Set<string>();
  return rows.filter(({ instrument: { id, code } }) => {
    if (ids.has(id) || codes.has(code)) return false;
    ids.add(id);
    codes.add(code);
    return true;
  });
}
