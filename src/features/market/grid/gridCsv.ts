import type { GridColumn } from '../../../session/gridSettings';
import { csv } from '../../../ui/csv';
import { COLUMN_SPECS, type Exported } from './gridColumns';

/**
 * The shown columns of some rows as CSV. Figures are exact and written as the protocol writes them,
 * whatever the language; the code is always among them, which names an instrument for good.
 */
export function gridCsv(columns: readonly GridColumn[], rows: readonly Exported[]): string {
  const ids: GridColumn[] = ['code', ...columns.filter((id) => id !== 'code')];
  const files = ids.flatMap((id) => COLUMN_SPECS[id].file ?? []);
  return csv([
    files.map(({ name }) => name),
    ...rows.map((row) => files.map(({ value }) => value(row))),
  ]);
}
