import { useEffect } from 'react';
import { gateway } from '../gateway/client';
import { dataSaverOn } from '../session/dataSaver';
import { useValue } from '../useValue';

/** Informs the worker when the data saver is switched on or off. */
export function useDataSaver(): void {
  const on = useValue(dataSaverOn);
  useEffect(() => {
    void gateway.setDataSaver(on);
  }, [on]);
}
