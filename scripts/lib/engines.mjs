import { existsSync } from 'node:fs';

/** The programs of the engines that are tested where a machine has them, and their names. */
const OTHERS = {
  firefox: { name: 'Firefox', paths: ['/usr/bin/firefox-esr', '/usr/bin/firefox'] },
  webkit: { name: 'WebKitGTK', paths: [] },
};

export const OTHER_ENGINES = Object.keys(OTHERS);
export const ENGINES = ['chromium', ...OTHER_ENGINES];

/** The program of an engine other than Chromium; FIREFOX_PATH and WEBKIT_PATH name another one. BARE=1 hides it. */
export function programOf(engine) {
  const wanted = process.env[`${engine.toUpperCase()}_PATH`];
  const paths = wanted ? [wanted] : OTHERS[engine].paths;
  return process.env.BARE ? undefined : paths.find(existsSync);
}

/** Why its tests are skipped; undefined where it is installed. */
export function missingEngine(engine) {
  return programOf(engine) ? undefined : `not installed: ${OTHERS[engine].name}`;
}
