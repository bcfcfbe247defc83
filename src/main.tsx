import { routeOf } from './app/routes';
import { connect } from './gateway/connect';
import { prefetchRows } from './gateway/rows';
import { loadStrings } from './i18n/strings';
import { saving } from './session/dataSaver';
import { paintLastSeen } from './session/lastSeen';
import { marketQuery } from './session/marketQuery';
import { savedLanguage, setDocumentLanguage } from './session/savedLanguage';
import { applyTheme } from './session/theme';

/** The worker's own memory is a moment away; rows that stand there must not turn grey again before it. */
const REMEMBERING = 1000;

// The worker first (architecture.md#page-start): it connects while the rest is still on its way.
const language = savedLanguage();
const query = marketQuery.peek();
connect(language, saving.peek());
const rows = prefetchRows(query);
setDocumentLanguage(language);
applyTheme();
const remembered =
  paintLastSeen(language, query) &&
  Promise.race([rows, new Promise((late) => setTimeout(late, REMEMBERING))]);

// The code of the screen is loaded along with the app, not after it.
const [, path = ''] = /^#([^?]+)/.exec(location.hash) ?? [];
const file = routeOf(path)?.file;
if (file) import('./app/screens').then(({ loadScreen }) => loadScreen(file)).catch(() => {});

Promise.all([import('./app/mount'), loadStrings(language), remembered])
  .then(([{ mount }, strings]) => mount(language, strings))
  .catch((error) => {
    // No words of ours have arrived: index.html has some.
    document.getElementById('boot-failure')?.removeAttribute('hidden');
    throw error;
  });
