import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { ROW } from '../lib/root';

/** TanStack Virtual as documented: fixed heights, its default overscan. */
export function Window({ count, row }: { count: number; row: (index: number) => ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
  });
  return (
    <>
      <div className="head">Market</div>
      <div className="scroller" ref={scroller}>
        <div className="rows" style={{ blockSize: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index }) => row(index))}
        </div>
      </div>
    </>
  );
}
