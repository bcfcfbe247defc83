import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { bin, root, which } from './install.mjs';

const KNOWN = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];
const SHELL = 'chromium-headless-shell';
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function find() {
  const wanted = process.env.CHROME_PATH;
  if (wanted) return existsSync(wanted) ? wanted : undefined;
  return KNOWN.find(existsSync) ?? COMMANDS.map(which).find(Boolean);
}

/**
 * The Chromium to test with: an installed one, else Debian's, else Playwright's own.
 * Returns its path, an empty string for Playwright's, or undefined with the reason printed.
 */
export function ensureChromium() {
  const found = find();
  if (found) return found;
  if (process.getuid?.() === 0 && which('apt-get')) {
    console.log('Installing Chromium …');
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'] };
    spawnSync('apt-get', ['update', '-qq'], quiet);
    spawnSync('apt-get', ['install', '-y', '-qq', 'chromium', SHELL], {
      ...quiet,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    const installed = find();
    if (installed) return installed;
  }
  console.log("Installing Playwright's Chromium …");
  const install = spawnSync(
    process.execPath,
    [bin('@playwright/test/cli.js'), 'install', 'chromium'],
    { cwd: root, stdio: 'inherit' },
  );
  if (install.status === 0) return '';
  console.error(
    'No Chromium: none is installed, apt-get needs root, and the download failed. ' +
      'Install Chrome or Chromium, or name one with CHROME_PATH.',
  );
  return undefined;
}

/**
 * The browser for tests that measure nothing: Debian's Chromium without a user interface, which
 * needs less CPU for the same pages, or else what `ensureChromium` finds.
 */
export function ensureHeadless() {
  const chromium = ensureChromium();
  if (process.env.CHROME_PATH || chromium === undefined) return chromium;
  return which(SHELL) ?? chromium;
}
