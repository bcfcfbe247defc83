import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query matches; renders when that changes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** The width from which on the desktop layout is used (design.md#desktop). */
export const WIDE = '(min-width: 64rem)';
