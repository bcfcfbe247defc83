/** Minimum time between two redraws of a chart, ms. */
export const REDRAW_MS = 100;

export interface Throttled {
  /** Draws at once if the last time was long enough ago, otherwise as soon as it is. */
  request(): void;
  /** Cancels a waiting redraw. */
  cancel(): void;
}

/** Calls `draw` at most once in `ms`: the first request at once, all others together. */
export function throttle(draw: () => void, ms: number): Throttled {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  const run = () => {
    waiting = undefined;
    last = performance.now();
    draw();
  };
  return {
    request() {
      if (waiting !== undefined) return;
      const rest = last + ms - performance.now();
      if (rest <= 0) run();
      else waiting = setTimeout(run, rest);
    },
    cancel() {
      clearTimeout(waiting);
      waiting = undefined;
    },
  };
}
