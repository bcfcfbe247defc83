import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect } from 'react';
import { remToPx } from './rem';

interface VirtualRowsOptions {
  /** The element that scrolls. */
  scroller: RefObject<HTMLElement | null>;
  count: number;
  /** Height of each row in rem, or of most where `measure` is the ref of all. */
  rem: number;
  /** Called when the rendered rows change; `to` is excluded. */
  onRange(from: number, to: number): void;
}

/**
 * The rendered rows of a long list: those in sight and four more on either side. `size` is the
 * height of all rows, px. `measure` is the ref of rows, with `data-index`, of different heights.
 */
export function useVirtualRows({ scroller, count, rem, onRange }: VirtualRowsOptions) {
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => remToPx(rem),
    overscan: 4,
  });
  const items = virtualizer.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = (items.at(-1)?.index ?? 0) + 1;
  useEffect(() => onRange(from, to), [from, to, onRange]);
  return { items, size: virtualizer.getTotalSize(), measure: virtualizer.measureElement };
}
