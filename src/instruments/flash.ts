/** How long a changed price is highlighted, ms. */
const SHOWN = 300;
/**
 * Wait this much longer for the next price to remove the highlight, ms: its frame is painted
 * anyway.
 */
const GRACE = 200;

/**
 * Highlighted elements and when their highlight ends, oldest first, as a Map keeps the order of
 * insertion.
 */
const marked = new Map<HTMLElement, { until: number; name: string }>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Highlights a changed price by a class. The next price removes it, or where none comes, one timer
 * shared by all rows.
 */
export function flash(element: HTMLElement | null, name: string): void {
  if (!element) return;
  const now = performance.now();
  sweep(now);
  const mark = marked.get(element);
  if (mark?.name !== name) {
    if (mark) element.classList.remove(mark.name);
    element.classList.add(name);
  }
  marked.delete(element);
  marked.set(element, { until: now + SHOWN, name });
  wait(SHOWN + GRACE);
}

/** Immediately removes the highlight of an element that now shows another price. */
export function unflash(element: HTMLElement): void {
  const mark = marked.get(element);
  if (mark) element.classList.remove(mark.name);
  marked.delete(element);
}

/** Removes the highlights that have ended. Returns when the next one ends, if any. */
function sweep(now: number): number | undefined {
  for (const [element, { until, name }] of marked) {
    if (until > now) return until;
    element.classList.remove(name);
    marked.delete(element);
  }
  return undefined;
}

function wait(ms: number): void {
  if (timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    const now = performance.now();
    const next = sweep(now);
    if (next !== undefined) wait(next - now + GRACE);
  }, ms);
}
