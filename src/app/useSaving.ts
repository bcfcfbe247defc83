import { useEffect } from 'react';
import { gateway } from '../gateway/client';
import { saving } from '../session/dataSaver';
import { useValue } from '../signals';

/** Informs the worker when the data saver is switched on or off. */
export function useSaving(): void {
  const on = useValue(saving);
  useEffect(() => {
    void gateway.setDataSaver(on);
  }, [on]);
}
