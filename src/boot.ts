// The build writes this script into the page itself (scripts/vitePlugins.ts): it starts the worker before any other file has come
// (D130).
import type { FirstStage } from '#domain/worker/firstStage';
import { REVOKED } from '#domain/worker/serviceWorker';
import { fetchAhead } from './app/lateLinks';
import { subscriptionsAhead } from './firstSubscriptions';
import { addressing } from './pageSetting';
import { addressOf, Worker } from './trustedTypes';
import { observed } from './worker/startedWorker';

/** The worker's first stage, and the address of the rest. */
declare const FIRST_STAGE: string;
declare const WORKER: string;

const told: FirstStage = {
  page: addressing(),
  subscriptions: subscriptionsAhead(),
  rest: new URL(WORKER, location.origin).href,
};
globalThis.fulcrumWorker = observed(
  new Worker(addressOf(FIRST_STAGE), { type: 'module', name: JSON.stringify(told) }),
);

// The page's own script does not come, or is something else. What a cache has in its place is replaced (D152).
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    document.getElementById('boot-failure')?.removeAttribute('hidden');
    void fetch(target.src, { cache: 'reload' }).catch(() => {});
  },
  true,
);

// A page that may be incompatible with its server is replaced before its user can have sent anything (D167). One in use is not: a form
// may be open.
navigator.serviceWorker?.addEventListener('message', ({ data }) => {
  if (data === REVOKED && !navigator.userActivation.hasBeenActive) location.reload();
});

// Prices come before the app at / and /trade only. The links are further down in the page.
if (!/^(#\/*(trade)?)?(\?|$)/.test(location.hash))
  document.addEventListener('readystatechange', fetchAhead, { once: true });
