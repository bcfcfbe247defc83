import { useEffect } from 'react';
import { dataSaverOn } from '../preferences/dataSaver';
import { useValue } from '../useValue';
import { workerApi } from '../worker/workerApi';

/** Informs the worker when the data saver is switched on or off. */
export function useDataSaver(): void {
  const on = useValue(dataSaverOn);
  useEffect(() => {
    void workerApi.setDataSaver(on);
  }, [on]);
}
