import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';

/** The programs of the engines that are tested where a machine has them, and their names. */
const OTHERS = {
  firefox: { name: 'Firefox', paths: ['/usr/bin/firefox-esr', '/usr/bin/firefox'] },
  webkit: {
    name: 'WebKitGTK (gir1.2-webkit2-4.1, python3-gi, xvfb)',
    // From the root, where every command runs: a benchmark is bundled, elsewhere.
    paths: [resolve('tests/e2e/engines/webkit/browser.mjs')],
    /** The program is this project's own; it needs these of the system. */
    has: () =>
      existsSync('/usr/bin/Xvfb') &&
      // In the folder of the machine's architecture; without it a window opens no page.
      readdirSync('/usr/lib').some((folder) =>
        existsSync(`/usr/lib/${folder}/webkit2gtk-4.1/WebKitWebProcess`),
      ) &&
      spawnSync('/usr/bin/python3', ['-c', 'import gi; gi.require_version("WebKit2", "4.1")'])
        .status === 0,
  },
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
  const { name, has = () => true } = OTHERS[engine];
  return programOf(engine) && has() ? undefined : `not installed: ${name}`;
}
