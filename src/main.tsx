import { routeOf } from './app/routes';
import { connect } from './gateway/connect';
import { prefetchRows } from './gateway/rows';
import { loadStrings } from './i18n/strings';
import { dataSaverOn } from './session/dataSaver';
import { paintLastSeen } from './session/lastSeen';
import { marketQuery } from './session/marketQuery';
import { savedLanguage, setDocumentLanguage } from './session/savedLanguage';
import { applyTheme } from './session/theme';

/**
 * Wait this long for the worker's stored list before mounting, ms, so that rows painted from the
 * last visit don't turn grey.
 */
const REMEMBERING = 1000;

// Start the worker first (architecture.md#page-start), so that it connects while everything else
// loads.
const language = savedLanguage();
const query = marketQuery.peek();
connect(language, dataSaverOn.peek());
const rows = prefetchRows(query);
setDocumentLanguage(language);
applyTheme();
const remembered =
  paintLastSeen(language, query) &&
  Promise.race([rows, new Promise((late) => setTimeout(late, REMEMBERING))]);

// Load the screen's code along with the app, not after it.
const [, path = ''] = /^#([^?]+)/.exec(location.hash) ?? [];
const file = routeOf(path)?.file;
if (file) import('./app/screens').then(({ loadScreen }) => loadScreen(file)).catch(() => {});

Promise.all([import('./app/mount'), loadStrings(language), remembered])
  .then(([{ mount }, strings]) => mount(language, strings))
  .catch((error) => {
    // No strings are loaded; index.html holds this message.
    document.getElementById('boot-failure')?.removeAttribute('hidden');
    throw error;
  });
