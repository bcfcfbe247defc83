import { effect } from '@preact/signals-core';

interface Throttled<T> {
  call(argument: T): void;
  /** Drops the call that is still due. */
  end(): void;
}

/**
 * Calls a function immediately with another argument, but with the same one at most once in `ms`: the last of more calls is
 * made when the time is over, by the next call if there is one soon.
 */
export function throttle<T>(run: (argument: T) => void, ms: number): Throttled<T> {
  let last: { argument: T; at: number } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = (argument: T) => {
    clearTimeout(timer);
    timer = undefined;
    last = { argument, at: performance.now() };
    run(argument);
  };
  return {
    call(argument) {
      const due = last && last.argument === argument ? last.at + ms - performance.now() : 0;
      if (due <= 0) now(argument);
      // A timer of its own makes a frame of its own, so the next frame of prices goes first.
      else timer ??= setTimeout(now, due + ms / 2, argument);
    },
    end() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** Figures that follow a price are written at most this often, ms: nobody reads faster. */
export const THROTTLE_MS = 250;

/**
 * Calls `write` whenever `read` returns another value. While it returns the same, and a signal that it
 * reads has changed, at most four times a second. Returns the function that ends it.
 */
export function throttledEffect<T>(read: () => T, write: (value: T) => void): () => void {
  const throttled = throttle(write, THROTTLE_MS);
  const stop = effect(() => throttled.call(read()));
  return () => {
    stop();
    throttled.end();
  };
}
