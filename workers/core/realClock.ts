import { toUnixMs } from '#domain/core/time';
import type { Clock } from './ports';

/** The clock and timers of the machine. */
export const realClock: Clock = {
  now: () => toUnixMs(Date.now()),
  after(wait, task) {
    const timer = setTimeout(task, wait);
    return () => clearTimeout(timer);
  },
};
