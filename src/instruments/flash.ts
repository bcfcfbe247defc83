/** How long a changed price is marked. */
const SHOWN = 300;
/** How much longer a mark may stay for a frame of the market to take it away: that frame is painted anyway. */
const GRACE = 200;

/** Marked elements and when their mark ends, oldest first: a Map keeps the order of insertion. */
const marked = new Map<HTMLElement, { until: number; name: string }>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Marks a changed price: a class switched on, and off again with a later price
 * or, where none comes, by the one timer that all share.
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

/** Takes away the marks that have ended. The end of the oldest that has not, if any. */
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
