import './boot.css';
import type { ComponentType } from 'react';
import { showFirstNotice } from './app/firstNotice';
import { addLateLinks, fetchAhead } from './app/lateLinks';
import { GUARD, readyScreens } from './app/readyScreens';
import { routeOf } from './app/routes';
import { isWorkspace, WORKSPACE } from './app/workspacePaths';
import { loadCachedStrings } from './i18n/strings';
import { captureInstallPrompt } from './installPrompt';
import { knownPrice, paintFirstPrice } from './instruments/firstPrice';
import { paintMarket, seenRows } from './instruments/marketView';
import { dataSaverOn } from './preferences/dataSaver';
import { tradePath } from './preferences/instrument';
import { listPlace } from './preferences/listPlace';
import { savedLanguage, setDocumentLanguage } from './preferences/savedLanguage';
import { applyTheme } from './preferences/theme';
import { applyUpColour } from './preferences/upColour';
import { startAddress } from './startAddress';
import { unlessLeft } from './ui/unlessLeft';
import { connect, showFirstStage } from './worker/connect';
import { firstPrice, pricesShown } from './worker/frameReceiver';
import { codeAhead } from './worker/rowAhead';
import { workerApi } from './worker/workerApi';

// Start the worker first (architecture.md#page-start), so that it connects while everything else
// loads.
const language = savedLanguage();
const [, path = '/', query = ''] = startAddress();
const route = routeOf(path);
/** A desktop shows its workspace, with the list, at three addresses (workspacePaths.ts). */
const desktop = isWorkspace(route?.path) && matchMedia('(min-width: 64rem)').matches;
const paintsList = desktop ? listPlace.peek() !== null : route?.path === '/';
const seen = paintsList ? seenRows(language) : undefined;
const trade = route?.path === '/trade' ? knownPrice(language, query) : undefined;
connect(language, dataSaverOn.peek(), seen?.rows ?? (trade?.row && [trade.row]));
setDocumentLanguage(language);
showFirstNotice(language);
applyTheme();
applyUpColour();
captureInstallPrompt();

/** Loads and mounts the app, once the code of the first screen is there as well. */
async function mountApp(screen?: Promise<void>): Promise<void> {
  const loading = [import('./app/mount'), loadCachedStrings(language), screen] as const;
  const [{ mount }, [shown, strings]] = await Promise.all(loading);
  nameInstrument();
  if (shown !== language) void workerApi.setLanguage(shown);
  await mount(shown, strings);
  addLateLinks();
}

/** Paints the list's live prices before anything else is loaded; the app comes once they are there (D95). */
async function startAtMarket(): Promise<void> {
  const picked = new Promise<void>((resolve) => paintMarket(language, seen, resolve));
  void firstPrice().then(fetchAhead);
  await Promise.race([pricesShown(), picked]);
  await mountApp();
}

/** Puts the trade screen's instrument into the address. Later this is a navigation, which refreshes the list. */
function nameInstrument(): void {
  const code = codeAhead();
  if (code === undefined || new URLSearchParams(query).has('code')) return;
  history.replaceState(history.state, '', `#${tradePath(code)}`);
}

async function loadFirstScreen(file: string): Promise<void> {
  const screens = await import('./app/screens');
  readyScreens.set(file, await screens.loadScreen(file));
  readyScreens.set(GUARD, screens.Guard as ComponentType);
}

/**
 * Loads the screen's code along with the app, not after it. What the page has painted stays until
 * both are there; where the screen can't be loaded, the app says so.
 */
function startAt(file: string | undefined): Promise<void> {
  fetchAhead();
  return mountApp(file === undefined ? undefined : loadFirstScreen(file).catch(() => {}));
}

async function start(): Promise<void> {
  if (route?.path === '/' && paintsList) return startAtMarket();
  // The price comes before the screen's files: it is a few bytes, and on a slow network they take seconds.
  if (trade && !desktop) await firstPrice();
  return startAt(desktop ? WORKSPACE : route?.file);
}

if (trade) paintFirstPrice(language, trade);
if (paintsList && route?.path !== '/') paintMarket(language, seen, () => {});
unlessLeft(start()).catch((error) => {
  // No strings are loaded; index.html holds this message.
  globalThis.showBootFailure?.();
  throw error;
});
showFirstStage();
