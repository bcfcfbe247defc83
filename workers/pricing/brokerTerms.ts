import { basicInfo } from '#domain/api/common';
import type { FeeType } from '#domain/trading/margin';
import type { Clock } from '../core/ports';
import { createRetry } from '../core/retry';
import { callRead } from '../http/ask';
import type { Http } from '../http/client';
import { OWN } from '../http/trading';

/** How the broker charges and fills (protocol.md#basic-settings). */
export interface BrokerTerms {
  feeType: FeeType;
  /** Market orders and closes by hand are filled at bid or ask (domain.md#fill-at-bid-and-ask). */
  fillsAtQuote: boolean;
}

/** The broker's terms, fetched once they are needed. */
export interface LiveTerms {
  /** Undefined while unknown. */
  readonly current: BrokerTerms | undefined;
  need(): void;
  /** Fetches the terms again: the server may have others after a loss of the connection. */
  invalidate(): void;
}

export function createBrokerTerms(clock: Clock, http: Http, known: () => void): LiveTerms {
  const retry = createRetry(clock, () => void load());
  let current: BrokerTerms | undefined;
  let needed = false;

  async function load(): Promise<void> {
    const result = await callRead(http, basicInfo, {}, OWN);
    if (!result.ok || !result.data.feeType) {
      retry.schedule();
      return;
    }
    retry.end();
    current = { feeType: result.data.feeType, fillsAtQuote: result.data.fillsAtQuote };
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
  };
}
