import { effect } from '@preact/signals-core';

interface Calm<T> {
  call(argument: T): void;
  /** Drops the call that is still due. */
  end(): void;
}

/**
 * Calls a function immediately with another argument, but with the same one at most once in `ms`: the last of more calls is
 * made when the time is over, by the next call if there is one soon.
 */
export function calmly<T>(run: (argument: T) => void, ms: number): Calm<T> {
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
export const CALM_MS = 250;

/**
 * Calls `write` whenever `read` returns another value. While it returns the same, and a signal that it
 * reads has changed, at most four times a second. Returns the function that ends it.
 */
export function calmEffect<T>(read: () => T, write: (value: T) => void): () => void {
  const calm = calmly(write, CALM_MS);
  const stop = effect(() => calm.call(read()));
  return () => {
    stop();
    calm.end();
  };
}
