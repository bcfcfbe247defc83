import { useCallback, useEffect, useRef, useState } from 'react';

export interface Opening {
  /** The key of the component that keeps what this use of a sheet has learned, typed and chosen: the next use begins anew. */
  key: number;
  /** Does nothing once another use has begun: an answer that comes late must not close that one. */
  onClose(): void;
}

/**
 * The present use of a sheet, or of a form while its fields are what was sent. `opened` is what it is open for, undefined or false
 * while it is closed.
 */
export function useOpening(opened: unknown, onClose: () => void): Opening {
  const [use, setUse] = useState({ opened, key: 0 });
  const isNew = opened !== use.opened;
  // The closing sheet still shows what it was open for.
  const key = isNew && opened ? use.key + 1 : use.key;
  if (isNew) setUse({ opened, key });
  const latest = useRef(key);
  const close = useRef(onClose);
  useEffect(() => {
    latest.current = key;
    close.current = onClose;
  });
  return {
    key,
    onClose: useCallback(() => {
      if (latest.current === key) close.current();
    }, [key]),
  };
}
