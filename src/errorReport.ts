// A program of its own, which src/boot.ts loads with the first error: whatever has failed in the page, this does not need it
// (scripts/vitePlugins.ts).
import { CLIENT_ERRORS_PATH, MOST_FRAMES } from '#domain/api/clientErrorsPath';
import { scrubbed } from '#domain/core/scrubbed';
import { type FailedElsewhere, isExpected } from '#domain/worker/failed';
import { pageSetting } from './pageSetting';
import { ERROR_REPORTS, PREFIX } from './preferences/storedNames';

/** Reports of a device within an hour. */
const MOST = 10;
const HOUR = 3_600_000;
/** Times of the last reports, unix ms, as JSON. */
const SENT = `${PREFIX}errors-sent`;

/** What may be reported: an event of the page or of its worker. */
export type Failure = ErrorEvent | PromiseRejectionEvent | { error: FailedElsewhere['failed'] };

/**
 * Sends one bounded report of an error (protocol.md#client-errors), unless operator or user want none, the hour is full, or none of our
 * code is in its stack. Never throws.
 */
export function report(failure: Failure, random = Math.random): void {
  try {
    if (random() >= Number(pageSetting('errors-share')) || isUnwanted()) return;
    const { name, message, stack, release } = detailsOf(failure);
    const frames = framesOf(stack);
    if (isExpected({ name, message }) || frames.length === 0 || !takeTurn()) return;
    const form = {
      release: release ?? import.meta.env.VITE_VERSION ?? '',
      engine: engineOf(navigator.userAgent),
      screen: screenOf(location.hash),
      name: /^[A-Za-z]{1,40}$/.test(name) ? name : 'Error',
      text: scrubbed(message),
      stack: frames.join(' '),
    };
    // Only a server that has written the share into this page takes reports.
    navigator.sendBeacon(CLIENT_ERRORS_PATH, new URLSearchParams(form));
  } catch {
    // Without storage or a beacon there is no report: an error here would be the next one.
  }
}

/** The user's wish, as preferences.ts saves it. */
function isUnwanted(): boolean {
  return localStorage.getItem(PREFIX + ERROR_REPORTS) === 'false';
}

/** Whether this device may send another one; then it counts. */
function takeTurn(): boolean {
  const now = Date.now();
  const times: unknown = JSON.parse(localStorage.getItem(SENT) ?? '[]');
  const recent = (Array.isArray(times) ? times : []).filter(
    // A clock that was set back does not keep the device silent.
    (time) => time > now - HOUR && time <= now,
  );
  if (recent.length >= MOST) return false;
  localStorage.setItem(SENT, JSON.stringify([...recent, now]));
  return true;
}

function detailsOf(failure: Failure): FailedElsewhere['failed'] {
  const error: unknown = 'reason' in failure ? failure.reason : failure.error;
  if (error instanceof Error) {
    // Comlink gives an error of the worker the stack that it had there; a service worker's has its own release, too.
    const { name, message, stack = '', release } = error as FailedElsewhere['failed'];
    return { name, message, stack, ...(release !== undefined && { release }) };
  }
  if (!(failure instanceof Event)) return failure.error;
  if ('reason' in failure) return { name: 'Error', message: `thrown ${typeof error}`, stack: '' };
  // Of an error of its worker the page hears no more than this.
  const { message, filename, lineno, colno } = failure;
  const [, name = 'Error'] =
    /^(?:Uncaught )?([A-Za-z]*Error|[A-Za-z]*Exception):/.exec(message) ?? [];
  return { name, message, stack: `${filename}:${lineno}:${colno}` };
}

/** The places of a stack that are in our files, as `app-X.js:1:23`, without the names of functions. */
export function framesOf(stack: string, page = location): string[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const [, address = '', place] =
        /((?:https?|blob):\S*?)(:\d{1,7}:\d{1,7})\)?$/.exec(line.trim()) ?? [];
      if (!place || /:0:/.test(place)) return [];
      if (address.startsWith(`blob:${page.origin}/`)) return [`blob${place}`];
      if (!address.startsWith(`${page.origin}/`)) return [];
      const [path = ''] = address.slice(page.origin.length).split(/[?#]/);
      const [, file] = /^\/(?:assets\/)?([\w.-]{1,80}\.js)$/.exec(path) ?? [];
      if (file) return [file + place];
      return path === page.pathname ? [`page${place}`] : [];
    })
    .slice(0, MOST_FRAMES);
}

/** The path of a screen; parts of it that are no words of ours are left out. */
export function screenOf(hash: string): string {
  const [path = ''] = hash.replace(/^#\/*/, '').split('?');
  const parts = path.split('/').filter(Boolean).slice(0, 6);
  return `/${parts.map((part) => (/^[a-z-]{1,20}$/.test(part) ? part : ':')).join('/')}`;
}

function engineOf(agent: string): string {
  if (/Firefox\//.test(agent)) return 'firefox';
  return /Chrome\//.test(agent) ? 'chromium' : 'webkit';
}
