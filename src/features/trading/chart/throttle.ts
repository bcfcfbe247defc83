/** Two redraws of a chart stand at least this far apart: prices are read, not watched frame by frame. */
export const REDRAW_MS = 100;

export interface Throttled {
  /** Draws now if the last time is long enough ago, otherwise once, as soon as it is. */
  request(): void;
  /** Forgets a waiting redraw. */
  cancel(): void;
}

/** Many causes, one paint: the first is drawn at once, what follows within `ms` together. */
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
