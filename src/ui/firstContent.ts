import { signal } from '@preact/signals-core';

/** How many parts of the screen are still being made whose code and data come before all that is loaded ahead. */
export const unfinished = signal(0);

/** Says that such a part is being made. Returns how to say, once, that it is there or given up. */
export function beginPart(): () => void {
  unfinished.value += 1;
  let ended = false;
  return () => {
    if (!ended) unfinished.value -= 1;
    ended = true;
  };
}
