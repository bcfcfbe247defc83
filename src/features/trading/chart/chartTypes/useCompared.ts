import type { Instrument } from '#domain/market/instrument';
import { useValue } from '../../../../useValue';
import { listRevision } from '../../../../worker/frameReceiver';
import { useAnswer } from '../../../../worker/useAnswer';
import { workerApi } from '../../../../worker/workerApi';
import { comparisons } from '../chartSettings';

/** The instrument that the chart of another one is compared with; undefined where there is none, or it is not listed. */
export function useCompared(instrumentId: number): Instrument | undefined {
  const id = useValue(comparisons)[instrumentId];
  const only = id === undefined ? [] : [id];
  const query = { only, sort: 'default', descending: false, favourites: [] } as const;
  const window = useAnswer(listRevision, () => workerApi.rows(query, 0, 1), [id]);
  const found = window?.rows[0]?.instrument;
  return found?.id === id ? found : undefined;
}
