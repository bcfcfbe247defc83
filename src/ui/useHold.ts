import { useEffect, useRef } from 'react';

/** A press this long is held, ms; then it acts again and again. */
const HELD = 400;
const EVERY = 80;

/**
 * Handlers of a button that acts on a tap, and repeatedly while it is held. Ends where the button
 * becomes disabled or goes away.
 */
export function useHold(act: () => void, disabled: boolean) {
  const latest = useRef(act);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const repeated = useRef(false);

  useEffect(() => {
    latest.current = act;
  });
  const stop = () => clearTimeout(timer.current);
  useEffect(() => {
    // A disabled button gets no release event.
    if (disabled) repeated.current = false;
    return () => clearTimeout(timer.current);
  }, [disabled]);

  const repeat = () => {
    repeated.current = true;
    latest.current();
    timer.current = setTimeout(repeat, EVERY);
  };
  return {
    onPointerDown: (event: { button: number }) => {
      stop();
      repeated.current = false;
      if (event.button === 0 && !disabled) timer.current = setTimeout(repeat, HELD);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    // A long press opens no menu.
    onContextMenu: (event: { preventDefault(): void }) => event.preventDefault(),
    onClick: ({ detail }: { detail: number }) => {
      // The end of a long press is a click too, unless it is elsewhere. A key's click has no detail.
      if (!repeated.current || detail === 0) latest.current();
      repeated.current = false;
    },
  };
}
