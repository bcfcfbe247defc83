import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds, rendering again when it changes. */
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

/** A desktop's width (design.md#desktop): panels side by side, dense rows. */
export const WIDE = '(min-width: 64rem)';
