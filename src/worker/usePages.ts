import { useCallback, useState } from 'react';
import { pagesAround } from './rows';

/**
 * The pages to request, `first` to `last` (excluded). Call `show` with the rows that are rendered.
 */
export function usePages(): { first: number; last: number; show(from: number, to: number): void } {
  const [pages, setPages] = useState(() => pagesAround(0, 1));
  const show = useCallback((from: number, to: number) => {
    const next = pagesAround(from, to);
    setPages((now) => (now.first === next.first && now.last === next.last ? now : next));
  }, []);
  return { ...pages, show };
}
