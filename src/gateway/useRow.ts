import type { ListRow } from '#domain/market/list';
import { gateway } from './client';
import { listRevision } from './pump';
import { rowAhead } from './rowAhead';
import { useAnswer } from './useAnswer';

/**
 * The row of an instrument by its code; the first open instrument of the list where the code is
 * unknown or undefined.
 */
export function useRow(code: string | undefined): ListRow | undefined {
  return useAnswer(
    listRevision,
    () => gateway.row(code),
    [code],
    () => rowAhead(code),
  );
}
