import { useEffect, useRef } from 'react';

/** A review of the sandbox takes half a minute, one by people hours: often enough for either. */
const AGAIN_MS = 10_000;

/** Asks again from time to time while something on screen waits to be decided, and somebody looks. */
export function useAgain(waiting: boolean, ask: () => void): void {
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, [waiting]);
}
