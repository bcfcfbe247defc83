import { toDurationMs } from '#domain/core/time';
import type { Clock } from './ports';

/** A page that is hidden for less is only being looked away from, ms. */
const AWAY_MS = toDurationMs(3000);

/** Calls `changed` when the page has been hidden for a while, and as soon as it is shown after that. */
export function createBackground(
  clock: Pick<Clock, 'after'>,
  changed: (isBackground: boolean) => void,
): (visible: boolean) => void {
  let isBackground = false;
  let cancel = () => {};
  const set = (next: boolean) => {
    if (next !== isBackground) changed(next);
    isBackground = next;
  };
  return (visible) => {
    cancel();
    if (visible) set(false);
    else cancel = clock.after(AWAY_MS, () => set(true));
  };
}
