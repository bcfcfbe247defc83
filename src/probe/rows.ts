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

/** The visible rows as they are. The benchmark sends this to other pages as text, so it uses nothing from outside itself. */
export function rowsInSight(selectors: Selectors): ShownRow[] {
  if (globalThis.shownRows) return globalThis.shownRows();
  const first = document.querySelector(selectors.row);
  let scroller = first?.parentElement;
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement;
  if (!scroller) return [];
  const { top, bottom } = scroller.getBoundingClientRect();
  const text = (row: Element, selector: string) => row.querySelector(selector)?.textContent ?? '';
  return [...document.querySelectorAll(selectors.row)]
    .filter((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > top + 1 && box.top < bottom - 1;
    })
    .map((row) => ({
      name: text(row, selectors.name),
      price: text(row, selectors.price),
      change: text(row, selectors.change),
    }));
}
