import type { ListRow } from '#domain/market/list';
import { listRevision } from './frameReceiver';
import { rowAhead } from './rowAhead';
import { useAnswer } from './useAnswer';
import { workerApi } from './workerApi';

/**
 * The row of an instrument by its code, undefined where there is none; without a code that of the first open instrument.
 */
export function useRow(code: string | undefined): ListRow | undefined {
  return useAnswer(
    listRevision,
    () => workerApi.row(code),
    [code],
    () => rowAhead(code),
  );
}
