import type { Clock } from './ports';

const FIRST_MS = 500;
const CAP_MS = 15_000;

/** Does something again, ever more rarely, until it has come out well. */
export interface Retry {
  /** It has not: again, later. */
  schedule(): void;
  /** It has, or is not wanted any more. */
  end(): void;
  /** How often it was put off since the last `end`. */
  readonly times: number;
}

export function createRetry(clock: Clock, task: () => void): Retry {
  let times = 0;
  let cancel = () => {};
  return {
    schedule() {
      cancel();
      cancel = clock.after(Math.min(CAP_MS, FIRST_MS * 2 ** times), task);
      times += 1;
    },
    end() {
      cancel();
      times = 0;
    },
    get times() {
      return times;
    },
  };
}
