import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useNavigationType } from 'react-router-dom';
import { remToPx } from '../ui/rem';
import type { InfiniteRows } from './useInfiniteList';

/** Where lists stood when they were left, and how high their rows were. */
const places = new Map<string, { top: number; sizes: VirtualItem[] }>();

interface ListLayout {
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** How far below the top of what scrolls the list begins, in px. */
  margin: number;
  /** Of the list. */
  top: RefObject<HTMLDivElement | null>;
}

/**
 * Which rows are in sight, and where. Who goes back finds the list where it was
 * left; who comes anew, at its top.
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
  // What scrolls stands around the list: its ref is set after the list's first effects.
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
    // What stands before the list grows and shrinks with what holds both.
    const observer = new ResizeObserver(measure);
    for (const child of outer.children) observer.observe(child);
    return () => observer.disconnect();
  }, [attached, scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, however one came here
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
