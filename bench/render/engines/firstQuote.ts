import type { Browser } from '@playwright/test';
import { contender } from '../harness/contenders';
import { FeedProcess } from '../harness/feedProcess';
import { STARTS } from '../harness/plan';
import { noteFirstQuote } from '../harness/probe';
import { listedPrices } from '../harness/sample';
import { call } from '../harness/shownList';
import type { Site } from '../harness/site';
import { record } from '../harness/stream';

const SECONDS = 30;
const PATIENCE_MS = 20_000;
const [WORKLOAD] = STARTS;
const PHONE = { width: 360, height: 740 };
const recording = record(WORKLOAD, SECONDS);

/** Ms from the navigation until the first live quote was painted, in a new page of a new profile. */
export async function firstQuote(browser: Browser, name: string, site: Site): Promise<number> {
  const { path, selectors } = contender(name);
  const feed = await FeedProcess.start({
    ...{ workload: WORKLOAD, seconds: SECONDS, ...site, narrowed: false },
  });
  const context = await browser.newContext({ viewport: PHONE });
  try {
    const origin = `http://127.0.0.1:${feed.port}`;
    await context.addCookies([{ name: 'language', value: 'en', url: origin }]);
    await context.addInitScript(call(noteFirstQuote, selectors, listedPrices(recording)));
    const page = await context.newPage();
    await page.goto(origin + path);
    const first = await page.waitForFunction(() => window.benchFirst, undefined, {
      timeout: PATIENCE_MS,
    });
    return Number(await first.jsonValue());
  } finally {
    await context.close();
    await feed.end();
  }
}
