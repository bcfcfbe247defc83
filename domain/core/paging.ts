/** One page of a list, and whether it was the last. */
export interface ListPage<T> {
  rows: T[];
  /** Number of rows that the server sent, readable or not; counts towards the total. */
  received: number;
  /** Of all pages; undefined where the list doesn't say. */
  total: number | undefined;
  /** Undefined where the list ends with its total (protocol.md#lists). */
  last: boolean | undefined;
}

/**
 * Whether a list is complete (protocol.md#lists): its last page says so, or the pages have as many
 * rows as the total. A page without rows ends any list, because the total may be wrong.
 */
export function isFinished(pages: readonly ListPage<unknown>[]): boolean {
  const newest = pages.at(-1);
  if (!newest) return false;
  if (newest.received === 0) return true;
  if (newest.last !== undefined) return newest.last;
  const loaded = pages.reduce((sum, { received }) => sum + received, 0);
  return loaded >= (newest.total ?? 0);
}

/** The rows of all pages in order, without duplicates: new rows push old ones to later pages (protocol.md#lists). */
export function rowsOf<T extends { id: number }>(pages: readonly ListPage<T>[]): T[] {
  const rows = new Map<number, T>();
  for (const page of pages) {
    for (const row of page.rows) if (!rows.has(row.id)) rows.set(row.id, row);
  }
  return [...rows.values()];
}
