import { useState } from 'react';

/** The value, or the last one that there was: what it opened stays until it has closed. */
export function useLastDefined<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
