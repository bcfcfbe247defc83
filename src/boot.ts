// The build writes this script into the page itself (scripts/vitePlugins.ts): it starts the worker before any other file has come
// (D130).
import type { FirstStage } from '#domain/worker/firstStage';
import { REVOKED } from '#domain/worker/serviceWorker';
import { fetchAhead } from './app/lateLinks';
import type { Failure } from './errorReport';
import { subscriptionsAhead } from './firstSubscriptions';
import { addressing } from './pageSetting';
import { addressOf, Worker } from './trustedTypes';
import { observed } from './worker/startedWorker';

/** The worker's first stage, and the addresses of the rest and of src/errorReport.ts. */
declare const FIRST_STAGE: string;
declare const WORKER: string;
declare const ERROR_REPORT: string;

declare global {
  /** Shows index.html's message; missing in development. */
  var showBootFailure: (() => void) | undefined;
  /** What the service worker has said before the app listens. */
  var serviceWorkerSaid: unknown[] | undefined;
}

/** Nothing is told where that can't be loaded. */
const errorReport = ERROR_REPORT;
function report(failure: Failure): void {
  import(/* @vite-ignore */ errorReport).then(
    (code) => code.report(failure),
    () => {},
  );
}

const told: FirstStage = {
  page: addressing(),
  subscriptions: subscriptionsAhead(),
  rest: new URL(WORKER, location.origin).href,
};
const worker = new Worker(addressOf(FIRST_STAGE), { type: 'module', name: JSON.stringify(told) });
globalThis.fulcrumWorker = observed(worker);
worker.onerror = report;
worker.addEventListener('message', ({ data }) => data?.failed && report({ error: data.failed }));
globalThis.onunhandledrejection = report;

function showFailure(): void {
  const link = document.querySelector<HTMLElement>('#boot-failure a');
  if (!link) return;
  (link.parentElement as HTMLElement).hidden = false;
  // Its address lacks the screen's.
  link.onclick = (event) => {
    event.preventDefault();
    location.reload();
  };
}
globalThis.showBootFailure = showFailure;

// The page's own script does not come, or is something else. What a cache has in its place is replaced (D152). Extensions and networks
// put others into the page.
addEventListener(
  'error',
  (event) => {
    if (event.error) report(event);
    // Also the window.
    const target = event.target as Partial<HTMLScriptElement>;
    if (!target.matches?.('script[src^="/assets/"]')) return;
    showFailure();
    void fetch(target.src as string, { cache: 'reload' }).catch(() => {});
  },
  true,
);

// A page that may be incompatible with its server is replaced before its user can have sent anything (D167). One in use is not: a form
// may be open.
globalThis.serviceWorkerSaid = [];
navigator.serviceWorker?.addEventListener('message', ({ data }) => {
  globalThis.serviceWorkerSaid?.push(data);
  if (data === REVOKED && !navigator.userActivation.hasBeenActive) location.reload();
});

// Prices come before the app at / and /trade only. The links are further down in the page.
if (!/^(#\/*(trade)?)?(\?|$)/.test(location.hash))
  document.addEventListener('readystatechange', fetchAhead, { once: true });
