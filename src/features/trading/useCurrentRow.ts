import { useEffect, useState } from 'react';
import type { ListRow } from '#domain/market/list';
import { useRow } from '../../gateway/useRow';
import { instrument } from '../../session/preferences';
import { useValue } from '../../signals';

/**
 * The row of the current instrument; where none is chosen, the first open one of the list
 * (screens.md#trade). Undefined until a list is loaded.
 */
export function useCurrentRow(): ListRow | undefined {
  const chosen = useValue(instrument);
  const [first, setFirst] = useState<string>();
  const row = useRow(chosen ?? first);
  // Keep the instrument when another one becomes the first open one.
  useEffect(() => {
    if (row) setFirst((code) => code ?? row.instrument.code);
  }, [row]);
  return row;
}
