/** Readers of the pages that lists come in (protocol.md#lists): undefined where there is no list. */
import type { ListPage } from '../core/paging';
import { readFields, readInteger, readRows } from '../core/read';

/** `{data, total}` (protocol.md#lists: complete when the loaded count reaches the total). */
export function readPage<T>(
  value: unknown,
  read: (row: unknown) => T | undefined,
): ListPage<T> | undefined {
  const fields = readFields(value);
  const sent = fields?.['data'];
  const rows = readRows(sent, read);
  if (!rows || !Array.isArray(sent)) return undefined;
  return {
    rows,
    received: sent.length,
    total: readInteger(fields?.['total']),
    last: undefined,
  };
}
