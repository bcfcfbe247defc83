/** A row as it is on screen. */
export interface ShownRow {
  name: string;
  price: string;
  change: string;
}

/** The rows in sight, or the price of a screen of one instrument and its chart's last close; null: it has no chart. */
export type Shown = { rows: ShownRow[] } | { price: string; close: number | null };

/** An instrument as it must be shown. */
export interface Wanted {
  price: string;
  change: string;
}

/** A list with fewer rows in sight shows nothing of use. */
const FEWEST_ROWS = 3;

/** The gate: all that is in sight shows what was sent last. `first` is the name of the instrument that has a screen. */
export function isRight(shown: Shown, last: ReadonlyMap<string, Wanted>, first: string): boolean {
  if ('rows' in shown) {
    return (
      shown.rows.length >= FEWEST_ROWS &&
      shown.rows.every(({ name, price, change }) => {
        const wanted = last.get(name);
        return price === wanted?.price && change === wanted.change;
      })
    );
  }
  const wanted = last.get(first)?.price;
  return shown.price === wanted && (shown.close === null || shown.close === Number(wanted));
}
