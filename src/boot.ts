// The build writes this script into the page itself (scripts/vitePlugins.ts): it starts the worker before any other file has come
// (D130).
import { fetchAhead } from './app/lateLinks';
import { addressing } from './pageSetting';
import { Worker } from './trustedTypes';
import { observed } from './worker/startedWorker';

/** The address of the worker's file. */
declare const WORKER: string;

globalThis.fulcrumWorker = observed(
  new Worker(new URL(WORKER, location.origin), {
    type: 'module',
    name: JSON.stringify(addressing()),
  }),
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

// Prices come before the app at / only. The links are further down in the page.
if (!/^(#\/*)?(\?|$)/.test(location.hash))
  document.addEventListener('readystatechange', fetchAhead, { once: true });
