import type { FeeType } from '#domain/trading/margin';
import type { Clock } from '../core/ports';
import { createRetry } from '../core/retry';
import type { Http } from '../http/client';
import { feeType } from '../http/trading';

/** How the broker charges fees (domain.md#fee), fetched once it is needed. */
export interface BrokerFees {
  /** Undefined while unknown. */
  readonly type: FeeType | undefined;
  need(): void;
  /** Fetches the fee type again: the server may charge otherwise after a loss of the link. */
  invalidate(): void;
}

export function createBrokerFees(clock: Clock, http: Http, known: () => void): BrokerFees {
  const retry = createRetry(clock, () => void load());
  let type: FeeType | undefined;
  let needed = false;

  async function load(): Promise<void> {
    const result = await feeType(http);
    if (!result.ok) {
      retry.schedule();
      return;
    }
    retry.end();
    type = result.data;
    known();
  }

  return {
    get type() {
      return type;
    },
    need() {
      if (needed) return;
      needed = true;
      void load();
    },
    invalidate() {
      if (needed) void load();
    },
  };
}
