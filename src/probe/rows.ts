import type { ShownRow } from '#domain/workload/gate';

/** Selectors of a contender's rows. */
export interface Selectors {
  row: string;
  name: string;
  price: string;
  change: string;
}

/** Selectors of the app's rows, and of all pages that use its styles. */
export const OURS: Selectors = {
  row: '[role=row]:has(> [role=cell])',
  name: '[role=cell]:nth-child(2) button',
  price: '[role=cell]:nth-child(4)',
  change: '[role=cell]:nth-child(5)',
};

declare global {
  /** The rows of a page that draws no elements for them. */
  var shownRows: (() => { name: string; price: string; change: string }[]) | undefined;
}

/** A row with the boxes that it lacks, and its `data-direction`. */
export interface SeenRow extends ShownRow {
  lacks?: string[];
  direction?: string | null;
}

/**
 * The visible rows as they are, from the top; with `boxes`, selectors by name, what each lacks. The benchmark sends this to other
 * pages as text, so it uses nothing from outside itself.
 */
export function rowsInSight(
  selectors: Selectors,
  boxes?: Readonly<Record<string, string>>,
): SeenRow[] {
  if (globalThis.shownRows) return globalThis.shownRows();
  const first = document.querySelector(selectors.row);
  let scroller = first?.parentElement;
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement;
  if (!scroller) return [];
  const { y, bottom } = scroller.getBoundingClientRect();
  // The heads of a grid's columns stay over its rows.
  const top = y + (scroller.querySelector('[role=columnheader]')?.parentElement?.clientHeight ?? 0);
  const text = (row: Element, selector: string) => row.querySelector(selector)?.textContent ?? '';
  return [...document.querySelectorAll(selectors.row)]
    .map((row) => ({ row, box: row.getBoundingClientRect() }))
    .filter(({ box }) => box.bottom > top + 1 && box.top < bottom - 1)
    .sort((a, b) => a.box.top - b.box.top)
    .map(({ row }) => ({
      name: text(row, selectors.name),
      price: text(row, selectors.price),
      change: text(row, selectors.change),
      ...(boxes && {
        lacks: Object.keys(boxes).filter((name) => !row.querySelector(boxes[name] as string)),
        direction: row.getAttribute('data-direction'),
      }),
    }));
}
