/** One page of a list, and whether it was the last. */
export interface ListPage<T> {
  rows: T[];
  /** How many rows the server sent, readable or not: what a list counts towards its total. */
  received: number;
  /** Of all pages; undefined where the list doesn't say. */
  total: number | undefined;
  /** Undefined where only the total tells (protocol.md#lists). */
  last: boolean | undefined;
}

/**
 * Whether a list is complete (protocol.md#lists): its last page says so, or as many rows were
 * sent as there are. A page without rows ends any list: the total may be wrong.
 */
export function isFinished(pages: readonly ListPage<unknown>[]): boolean {
  const newest = pages.at(-1);
  if (!newest) return false;
  if (newest.received === 0) return true;
  if (newest.last !== undefined) return newest.last;
  const loaded = pages.reduce((sum, { received }) => sum + received, 0);
  return loaded >= (newest.total ?? 0);
}

/** The rows of all pages in their order, each once: rows move on to later pages while new ones come (protocol.md#lists). */
export function rowsOf<T extends { id: number }>(pages: readonly ListPage<T>[]): T[] {
  const rows = new Map<number, T>();
  for (const page of pages) {
    for (const row of page.rows) if (!rows.has(row.id)) rows.set(row.id, row);
  }
  return [...rows.values()];
}
