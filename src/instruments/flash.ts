/** How long a changed price is marked. */
const SHOWN = 300;

/** Marked elements and when their mark ends, oldest first: a Map keeps the order of insertion. */
const marked = new Map<HTMLElement, { until: number; name: string }>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Marks a changed price: a class switched on, and off again by the one timer that all share. */
export function flash(element: HTMLElement, name: string): void {
  const mark = marked.get(element);
  if (mark && mark.name !== name) element.classList.remove(mark.name);
  if (mark?.name !== name) element.classList.add(name);
  marked.delete(element);
  marked.set(element, { until: performance.now() + SHOWN, name });
  if (timer === undefined) timer = setTimeout(sweep, SHOWN);
}

function sweep(): void {
  const now = performance.now();
  timer = undefined;
  for (const [element, mark] of marked) {
    if (mark.until > now) {
      timer = setTimeout(sweep, mark.until - now);
      return;
    }
    element.classList.remove(mark.name);
    marked.delete(element);
  }
}
