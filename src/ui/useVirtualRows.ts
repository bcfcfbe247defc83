import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect } from 'react';
import { remToPx } from './rem';

interface VirtualRowsOptions {
  /** The element that scrolls. */
  scroller: RefObject<HTMLElement | null>;
  count: number;
  /** Height of each row, in rem. */
  rem: number;
  /** Called with the rows that are rendered, `to` excluded, when these change. */
  onRange(from: number, to: number): void;
}

/** The rows of a long list that are rendered: those in sight and four on either side. `size`: height of all, px. */
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
  return { items, size: virtualizer.getTotalSize() };
}
