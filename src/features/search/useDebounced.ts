import { useEffect, useState } from 'react';

/** Typing rests this long before it is searched for: ms. */
const REST = 150;

/** A value once it has stood still for a moment. */
export function useDebounced<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
