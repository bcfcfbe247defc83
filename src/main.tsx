import { showFirstNotice } from './app/firstNotice';
import { routeOf } from './app/routes';
import { connect } from './gateway/connect';
import { pricesShown } from './gateway/pump';
import { loadStrings } from './i18n/strings';
import { paintMarket } from './instruments/marketView';
import { dataSaverOn } from './session/dataSaver';
import { keepInstallPrompt } from './session/installPrompt';
import { savedLanguage, setDocumentLanguage } from './session/savedLanguage';
import { applyTheme } from './session/theme';
import { applyTrend } from './session/trend';

// Start the worker first (architecture.md#page-start), so that it connects while everything else
// loads.
const language = savedLanguage();
connect(language, dataSaverOn.peek());
setDocumentLanguage(language);
showFirstNotice(language);
applyTheme();
applyTrend();
keepInstallPrompt();

// Safari has no prefetch.
if (!document.createElement('link').relList.supports('prefetch')) {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=prefetch]')) {
    link.rel = 'preload';
  }
}

/** Loads and mounts the app. */
async function mountApp(): Promise<void> {
  const [{ mount }, strings] = await Promise.all([import('./app/mount'), loadStrings(language)]);
  await mount(language, strings);
}

/** Paints live prices before anything else is loaded; the app comes once they are there (D95). */
async function startAtMarket(): Promise<void> {
  let pick = () => {};
  const picked = new Promise<void>((resolve) => {
    pick = resolve;
  });
  paintMarket(language, pick);
  await Promise.race([pricesShown(), picked]);
  await mountApp();
}

/** Loads the screen's code along with the app, not after it. */
function startAt(file: string | undefined): Promise<void> {
  if (file) import('./app/screens').then(({ loadScreen }) => loadScreen(file)).catch(() => {});
  return mountApp();
}

const [, path = '/'] = /^#([^?]+)/.exec(location.hash) ?? [];
const route = routeOf(path);
(route?.path === '/' ? startAtMarket() : startAt(route?.file)).catch((error) => {
  // No strings are loaded; index.html holds this message.
  document.getElementById('boot-failure')?.removeAttribute('hidden');
  throw error;
});
