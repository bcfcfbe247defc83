import { basicInfo } from '#domain/api/common';
import { type BrokerTerms, readTerms } from '#domain/api/read-terms';
import type { Clock } from '../core/ports';
import { createRetry } from '../core/retry';
import type { Http } from '../http/client';
import { OWN } from '../http/trading';

/** How the broker charges and fills, fetched once it is needed. */
export interface LiveTerms {
  /** Undefined while unknown. */
  readonly current: BrokerTerms | undefined;
  need(): void;
  /** Fetches the terms again: the server may have others after a loss of the link. */
  invalidate(): void;
}

export function createBrokerTerms(clock: Clock, http: Http, known: () => void): LiveTerms {
  const retry = createRetry(clock, () => void load());
  let current: BrokerTerms | undefined;
  let needed = false;

  async function load(): Promise<void> {
    const result = await http.get(basicInfo, {}, readTerms, OWN);
    if (!result.ok) {
      retry.schedule();
      return;
    }
    retry.end();
    current = result.data;
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
