/** The part of a list that a page shows. */
export interface RowWindow<T> {
  /** Rows of the list, in sight or not. */
  total: number;
  /** Index of the first of `rows`. */
  from: number;
  rows: T[];
}

/** Rows `from` to `to` (excluded) as `show` makes them; a range out of bounds is cut to the list. */
export function rowWindow<R, T>(
  list: readonly R[],
  from: number,
  to: number,
  show: (row: R) => T,
): RowWindow<T> {
  const first = Math.max(0, from);
  return {
    total: list.length,
    from: first,
    rows: list.slice(first, Math.max(first, to)).map((row) => show(row)),
  };
}
