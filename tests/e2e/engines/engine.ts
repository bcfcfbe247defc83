import { type PlaywrightTestOptions, type PlaywrightWorkerOptions, test } from '@playwright/test';
import { ENGINES, type Engine, programOf } from '../../../scripts/lib/engines.mjs';

/** The engine of this run; ENGINE=… chooses it. */
export const engine = (process.env['ENGINE'] || 'chromium') as Engine;
if (!ENGINES.includes(engine)) throw new Error(`ENGINE=${engine}: it is one of ${ENGINES}`);

const asRoot = process.getuid?.() === 0;

type Use = Partial<PlaywrightTestOptions & PlaywrightWorkerOptions>;

/** How Playwright starts it. All but Chromium are spoken to in WebDriver BiDi (bidi.ts). */
export function launching(of: Engine = engine): Use {
  if (of === 'chromium') {
    const executablePath = process.env['CHROME_PATH'];
    return {
      launchOptions: {
        ...(executablePath && { executablePath }),
        args: [
          ...(asRoot ? ['--no-sandbox'] : []),
          '--disable-gpu',
          '--disable-quic',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
        ],
      },
    };
  }
  const executablePath = programOf(of);
  return {
    browserName: 'firefox',
    channel: 'moz-firefox',
    launchOptions: {
      ...(executablePath && { executablePath }),
      // firefox.ts reaches what only the browser itself can change.
      args: of === 'firefox' ? ['--remote-allow-system-access'] : [],
      firefoxUserPrefs: {
        // It asks nothing of its maker.
        'services.settings.server': 'data:,',
        'app.normandy.enabled': false,
        // Its screen is larger than the phone that a test has.
        'full-screen-api.enabled': false,
        // A page that is busy between the two ends of a tap would make it a long press, which has no click.
        'ui.click_hold_context_menus.delay': 3_600_000,
        // Playwright does not hear of a page that comes back from the back-forward cache. In Chromium it has none either.
        'browser.sessionhistory.max_total_viewers': 0,
        // Firefox 153 crashes where axe reads `ariaLabelledByElements` in the workspace.
        'accessibility.ARIAElementReflection.enabled': false,
      },
    },
  };
}

/** Skips a test in the other engines: it needs the protocol of Chromium's developer tools. */
export function chromiumOnly(reason: string): void {
  test.skip(engine !== 'chromium', `Chromium only: ${reason}`);
}
