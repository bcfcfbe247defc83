import { useState } from 'react';

/** The value, or the last one that there was: a sheet that closes shows what it showed until it is gone. */
export function useKept<T>(value: T | undefined): T | undefined {
  const [kept, setKept] = useState(value);
  if (value !== undefined && value !== kept) setKept(value);
  return value ?? kept;
}
