import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useNavigationType } from 'react-router-dom';
import { remToPx } from '../ui/rem';
import type { InfiniteRows } from './useInfiniteList';

/** Scroll positions and row heights of lists that were left. */
const places = new Map<string, { top: number; sizes: VirtualItem[] }>();

interface ListLayout {
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** Distance from the top of the scrolling element to the list, px. */
  margin: number;
  /** The element of the list. */
  top: RefObject<HTMLDivElement | null>;
}

/**
 * The rendered rows of a list and their positions. Going back restores the scroll position; opening
 * the screen again starts at the top.
 */
export function useVirtualList<T extends { id: number }>(
  { rows, place: name }: InfiniteRows<T>,
  scroller: RefObject<HTMLDivElement | null>,
  estimate: number,
): ListLayout {
  const top = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const back = useNavigationType() === 'POP';
  const [place] = useState(() => (back ? places.get(name) : undefined));
  // The scrolling element is an ancestor, so its ref is set after the first effects here.
  const [attached, attach] = useState(false);
  useLayoutEffect(() => attach(true), []);

  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => remToPx(estimate),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 4,
    scrollMargin: margin,
    ...(place && { initialMeasurementsCache: place.sizes }),
  });

  useLayoutEffect(() => {
    const outer = scroller.current;
    const inner = top.current;
    if (!attached || !outer || !inner) return;
    const measure = () => {
      const start = outer.getBoundingClientRect().top - outer.scrollTop;
      setMargin(Math.round(inner.getBoundingClientRect().top - start));
    };
    measure();
    // The content above the list may change its height.
    const observer = new ResizeObserver(measure);
    for (const child of outer.children) observer.observe(child);
    return () => observer.disconnect();
  }, [attached, scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list is attached
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!attached || !element) return;
    if (place) element.scrollTop = place.top;
    return () => {
      places.set(name, { top: element.scrollTop, sizes: virtualizer.takeSnapshot() });
    };
  }, [attached, name]);

  return { virtualizer, margin, top };
}
