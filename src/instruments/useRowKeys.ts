import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';

const PAGE = 10;

function target(key: string, index: number, total: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return index + 1;
    case 'ArrowUp':
      return index - 1;
    case 'PageDown':
      return index + PAGE;
    case 'PageUp':
      return index - PAGE;
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    default:
      return undefined;
  }
}

/** Arrow keys move between the rows of a virtual list; the tab key reaches one row. */
export function useRowKeys(
  list: RefObject<HTMLElement | null>,
  total: number,
  from: number,
  to: number,
  scrollTo: (index: number) => void,
) {
  const [active, setActive] = useState(0);
  const wanted = useRef<number | undefined>(undefined);

  // The wanted row may be rendered only a render or two after scrolling to it.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });

  return {
    reachable: active >= from && active < to ? active : from,
    onFocus(event: FocusEvent) {
      const { index } = (event.target as HTMLElement).dataset;
      if (index !== undefined) setActive(Number(index));
    },
    onKeyDown(event: KeyboardEvent) {
      const next = target(event.key, active, total);
      if (next === undefined || total === 0) return;
      event.preventDefault();
      const index = Math.min(total - 1, Math.max(0, next));
      wanted.current = index;
      setActive(index);
      scrollTo(index);
    },
  };
}
