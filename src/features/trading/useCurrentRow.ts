import { useEffect, useState } from 'react';
import type { ListRow } from '#domain/gateway/gateway';
import { useRow } from '../../gateway/rows';
import { instrument } from '../../session/preferences';
import { useValue } from '../../signals';

/** The row of the current instrument, the list's first open one where none was chosen (screens.md#trade); undefined until a list is there. */
export function useCurrentRow(): ListRow | undefined {
  const chosen = useValue(instrument);
  const [first, setFirst] = useState<string>();
  const row = useRow(chosen ?? first);
  // Another one may open first tomorrow: what is on screen stays.
  useEffect(() => {
    if (row) setFirst((code) => code ?? row.instrument.code);
  }, [row]);
  return row;
}
