import { useRef, useState } from 'react';

interface Opening<T> {
  /** What the sheet shows; stays while it closes. */
  shown: T | undefined;
  /** The number of this opening: the `key` of whatever holds state. */
  opening: number;
  /** Closes the sheet, unless it is open for something else by now: for what takes time. */
  close: () => void;
}

/**
 * What a sheet is open for, undefined while it is closed. Each opening has a number, so that no state of an earlier one is
 * left.
 */
export function useOpening<T>(value: T | undefined, onClose: () => void): Opening<T> {
  const [kept, setKept] = useState({ value, shown: value, opening: 0 });
  let now = kept;
  if (value !== kept.value) {
    const opened = value === undefined ? 0 : 1;
    now = { value, shown: value ?? kept.shown, opening: kept.opening + opened };
    setKept(now);
  }
  const latest = useRef(now);
  latest.current = now;
  const { opening } = now;
  return {
    shown: now.shown,
    opening,
    close: () => {
      const { current } = latest;
      if (current.opening === opening && current.value !== undefined) onClose();
    },
  };
}

/** State that belongs to an opening: with the next one it begins anew, in the same render. */
export function useOpeningState<T>(opening: number, initial: T): [T, (value: T) => void] {
  const [kept, setKept] = useState({ opening, value: initial });
  let now = kept;
  if (opening !== kept.opening) {
    now = { opening, value: initial };
    setKept(now);
  }
  const set = (value: T) =>
    setKept((current) => (current.opening === opening ? { opening, value } : current));
  return [now.value, set];
}
