import { existsSync } from 'node:fs';
import { type PlaywrightTestOptions, type PlaywrightWorkerOptions, test } from '@playwright/test';
import { EXCEPTIONS } from './exceptions';

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const;
type Engine = (typeof ENGINES)[number];

/** The engine of this run; ENGINE=… chooses it. */
export const engine = (process.env['ENGINE'] || 'chromium') as Engine;
if (!ENGINES.includes(engine)) throw new Error(`ENGINE=${engine}: it is one of ${ENGINES}`);

const asRoot = process.getuid?.() === 0;

type Use = Partial<PlaywrightTestOptions & PlaywrightWorkerOptions>;

/** How Playwright starts it. All but Chromium are spoken to in WebDriver BiDi (bidi.ts). */
export function launching(): Use {
  if (engine === 'chromium') {
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
  const program = PROGRAMS[engine].find(existsSync);
  return {
    browserName: 'firefox',
    channel: 'moz-firefox',
    launchOptions: {
      ...(program && { executablePath: program }),
      // firefox.ts reaches what only the browser itself can change.
      args: engine === 'firefox' ? ['--remote-allow-system-access'] : [],
    },
  };
}

/** Where a distribution has it. */
const PROGRAMS = {
  firefox: [process.env['FIREFOX_PATH'] ?? '', '/usr/bin/firefox-esr', '/usr/bin/firefox'],
  webkit: [process.env['WEBKIT_PATH'] ?? ''],
};

/** Skips a test in the other engines: it needs the protocol of Chromium's developer tools. */
export function chromiumOnly(reason: string): void {
  test.skip(engine !== 'chromium', `Chromium only: ${reason}`);
}

/** Skips a test that is listed in exceptions.ts. */
export function skipException(): void {
  const { file, title } = test.info();
  const found = EXCEPTIONS.find((each) =>
    [each.engine === engine, file.endsWith(`/${each.file}`), each.title === title].every(Boolean),
  );
  test.skip(found !== undefined, `${engine}: ${found?.reason}`);
}
