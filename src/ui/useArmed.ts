import { useEffect, useState } from 'react';

/** A button that appears is not pressed before this time, ms: the tap may have been meant for what was there before. */
const ARMING_MS = 500;

/** The timers that arm buttons; tests replace them. */
export const armingTimers = {
  /** Runs `task` once, `ms` from now. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};

/** Whether the component has been in sight for half a second. */
export function useArmed(): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    let cancel = () => {};
    // Counts from when it is painted, which a busy phone does late.
    const frame = requestAnimationFrame(() => {
      cancel = armingTimers.after(ARMING_MS, () => setArmed(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      cancel();
    };
  }, []);
  return armed;
}
