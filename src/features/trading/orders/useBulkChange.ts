import { useEffect, useRef, useState } from 'react';
import type { Done, Result } from '#domain/core/result';
import type { Order } from '#domain/trading/order';
import { showToast } from '../../../ui/toastStore';
import { connectionLive } from '../../../worker/frameReceiver';
import { newKey } from '../../../worker/key';
import { type BulkProgress, changeOrders, countChanged } from './bulkChange';

export interface BulkChange {
  /** Undefined before the start. */
  progress: BulkProgress | undefined;
  running: boolean;
  start(
    orders: readonly Order[],
    change: (order: Order, key: string) => Promise<Result<Done<Order>>>,
  ): Promise<void>;
  /** After the present order. */
  stop(): void;
  stopping: boolean;
}

/** A change of several orders. Where the user goes away, it stops after the present one, and a toast has the result. */
export function useBulkChange(textOf: (result: BulkProgress) => string): BulkChange {
  const [progress, setProgress] = useState<BulkProgress>();
  const [running, setRunning] = useState(false);
  const [stopping, setStopping] = useState(false);
  const stopped = useRef(false);
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  return {
    progress,
    running,
    async start(orders, change) {
      setRunning(true);
      const result = await changeOrders(
        orders,
        (order) => change(order, newKey()),
        setProgress,
        // An order that waits for a connection would be changed later than the user thinks.
        () => stopped.current || gone.current || !connectionLive.peek(),
      );
      setRunning(false);
      if (!gone.current) return;
      showToast(textOf(result), countChanged(result) < orders.length ? 'error' : 'info');
    },
    stop() {
      stopped.current = true;
      setStopping(true);
    },
    stopping,
  };
}
