import { useEffect, useState } from 'react';
import { isEqual } from '#domain/core/isEqual';
import type { UnixMs } from '#domain/core/time';
import type { Trade } from '#domain/trading/results';
import { useValue } from '../../../useValue';
import { ordersRevision } from '../../../worker/trading';
import { workerApi } from '../../../worker/workerApi';

/** The trades that ended at `from` or later, newest first, as far as they are loaded. */
export function useTrades(instrumentId: number, from: UnixMs | undefined): readonly Trade[] {
  const revision = useValue(ordersRevision);
  const [trades, setTrades] = useState<readonly Trade[]>(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision asks again
  useEffect(() => {
    if (from === undefined) return;
    let outdated = false;
    const load = async () => {
      for (;;) {
        const result = await workerApi.pastTrades(instrumentId, from);
        if (outdated || !result.ok) return;
        const { trades: found, complete } = result.data;
        // The broker may correct a closed order, or void it.
        setTrades((known) => (isEqual(known, found) ? known : found));
        if (complete) return;
      }
    };
    void load();
    return () => {
      outdated = true;
    };
  }, [instrumentId, from, revision]);
  return trades;
}

const NONE: readonly Trade[] = [];
