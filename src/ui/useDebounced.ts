import { useEffect, useState } from 'react';

/** Search this long after the last key, ms. */
const REST = 150;

/** The value, updated once it has not changed for a moment. */
export function useDebounced<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
