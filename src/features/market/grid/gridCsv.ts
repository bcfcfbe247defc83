import { csv } from '../../../ui/csv';
import { columnSpec, type Exported, type GridColumnChoice } from './gridColumns';

/**
 * The shown columns of some rows as CSV. Figures are exact and written as the protocol writes them,
 * whatever the language; the code is always among them, which names an instrument for good.
 */
export function gridCsv(columns: readonly GridColumnChoice[], rows: readonly Exported[]): string {
  const all: GridColumnChoice[] = [{ id: 'code' }, ...columns.filter(({ id }) => id !== 'code')];
  const files = all.flatMap((column) => columnSpec(column).file ?? []);
  return csv([
    files.map(({ name }) => name),
    ...rows.map((row) => files.map(({ value }) => value(row))),
  ]);
}
