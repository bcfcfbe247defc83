import { useEffect, useRef } from 'react';

/** Interval between two requests, ms. The sandbox reviews after 30 s, an operator after hours. */
const INTERVAL_MS = 10_000;

/**
 * Calls `poll` regularly while `active` is true and the page is visible, as something on screen
 * awaits a review.
 */
export function usePolling(active: boolean, poll: () => void): void {
  const latest = useRef(poll);
  latest.current = poll;
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, [active]);
}
