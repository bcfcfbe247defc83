import { busy } from '../ui/BusyOverlay';
import { uploads } from '../worker/frameReceiver';
import { unanswered } from '../worker/requests';
import { takeNewVersion } from './serviceWorker';

/** Of this tab: the required version that it has reloaded for. Behind several servers the answer may be another one's. */
const TAKEN = 'required-version';
const LOOK_EVERY_MS = 1000;
/** What was typed longer ago is not being written any more. */
const TYPED_MS = 60_000;

let stop: (() => void) | undefined;

/**
 * Takes a version that the server requires (protocol.md#manifest) as soon as that interrupts nothing: no call without an answer, no
 * upload, no sheet, nothing that is shown once, nothing being typed. Once a tab: a second time the user decides.
 */
export function takeWhenFree(version: string, take: () => unknown = takeNewVersion): void {
  if (isTaken(version)) return;
  stop?.();
  let typedAt = Number.NEGATIVE_INFINITY;
  const typed = () => {
    typedAt = performance.now();
  };
  const look = () => {
    if (performance.now() - typedAt < TYPED_MS || !nothingOpen()) return;
    stop?.();
    if (remembered(version)) take();
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  addEventListener('input', typed, { capture: true });
  stop = () => {
    clearInterval(timer);
    removeEventListener('input', typed, { capture: true });
  };
  // What was typed before this script came is in the field that has the focus.
  if (document.activeElement?.matches('input, textarea')) typed();
  look();
}

function nothingOpen(): boolean {
  const shown = ':is([role=dialog], [role=alertdialog], [role=menu], [data-shown-once])';
  if (document.querySelector(shown) || busy.peek()) return false;
  return unanswered.peek().length === 0 && Object.keys(uploads.peek()).length === 0;
}

function isTaken(version: string): boolean {
  try {
    return sessionStorage.getItem(TAKEN) === version;
  } catch {
    return false;
  }
}

/** Without storage a page that came by a reload may have taken it: otherwise it would reload again and again. */
function remembered(version: string): boolean {
  try {
    sessionStorage.setItem(TAKEN, version);
    return true;
  } catch {
    const [came] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return came?.type !== 'reload';
  }
}
