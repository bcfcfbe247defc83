/** How long the indicator is shown, ms (screens.md#pull-to-refresh). */
const SHOWN = 500;
/** Offset of the list while it refreshes, px. */
const OPEN = 44;
/** Letting go from this offset on refreshes, px. */
const READY = 64;
/** The offset of the list for a distance of the finger: resistance grows with the distance. */
const follow = (distance: number) => distance * 0.5 * Math.exp(-distance / 600);

/**
 * Adds the pull gesture to `element`: it moves the elements `moved` by transforms and writes the
 * state to `element.dataset.pull`. Returns the function that removes it.
 */
export function followPull(
  element: HTMLElement,
  moved: readonly HTMLElement[],
  refresh: () => void,
): () => void {
  let startX = 0;
  let startY: number | undefined;
  let distance = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const place = (offset: number, state: string | undefined) => {
    const transform = offset > 0 ? `translateY(${offset}px)` : '';
    for (const { style } of moved) style.transform = transform;
    if (state) element.dataset.pull = state;
    else delete element.dataset.pull;
  };
  const close = () => {
    place(0, 'closing');
    timer = setTimeout(() => place(0, undefined), 150);
  };
  const start = (event: TouchEvent) => {
    const touch = event.touches[0];
    const busy = element.dataset.pull === 'refreshing';
    // A second finger ends the pull.
    if (startY !== undefined && distance > 0) close();
    const free = event.touches.length === 1 && element.scrollTop <= 0 && !busy;
    startY = free ? touch?.clientY : undefined;
    startX = touch?.clientX ?? 0;
    distance = 0;
  };
  const move = (event: TouchEvent) => {
    const touch = event.touches[0];
    if (startY === undefined || !touch) return;
    const down = touch.clientY - startY;
    const sideways = Math.abs(touch.clientX - startX) > Math.abs(down);
    if (distance === 0 && (down <= 0 || sideways || element.scrollTop > 0)) {
      startY = undefined;
      return;
    }
    event.preventDefault();
    clearTimeout(timer);
    distance = Math.max(1, follow(down));
    place(distance, distance >= READY ? 'ready' : 'pulling');
  };
  const end = () => {
    if (startY === undefined || distance === 0) return;
    startY = undefined;
    if (distance < READY) return close();
    place(OPEN, 'refreshing');
    refresh();
    timer = setTimeout(close, SHOWN);
  };

  element.addEventListener('touchstart', start, { passive: true });
  element.addEventListener('touchmove', move, { passive: false });
  element.addEventListener('touchend', end);
  element.addEventListener('touchcancel', end);
  return () => {
    element.removeEventListener('touchstart', start);
    element.removeEventListener('touchmove', move);
    element.removeEventListener('touchend', end);
    element.removeEventListener('touchcancel', end);
    clearTimeout(timer);
    place(0, undefined);
  };
}
