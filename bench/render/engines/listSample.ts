import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from '@playwright/test';
import { ages, type SeenPrice } from '#domain/workload/ages';
import { MAIN } from '#domain/workload/workload';
import type { Contender } from '../harness/contenders';
import { watchDrawing, watchGaps } from '../harness/drawing';
import { FeedProcess } from '../harness/feedProcess';
import {
  expectLive,
  expectRows,
  expectScrolling,
  framesPerSecond,
  middleAndEnd,
  sentAfter,
  watchList,
} from '../harness/gate';
import type { SeenRows } from '../harness/probe';
import { keptOnDevice } from '../harness/sample';
import { call, LONGEST_START, ready, within } from '../harness/shownList';
import type { Site } from '../harness/site';
import { record } from '../harness/stream';
import type { ListSample } from './results';

const WARM_UP = 4;
const LOOK = 6;
const SECONDS = WARM_UP + LOOK + LONGEST_START;
/** A frame is late from then on, ms. */
const LATE = 50;
const recording = record(MAIN, SECONDS);

/** What is seen of a list without the tools of developers. It ends with the correctness gate. */
export async function listSample(
  browser: Browser,
  one: Contender,
  site: Site,
): Promise<ListSample> {
  const { path, selectors } = one;
  if (!selectors) throw new Error(`${one.name} is no list`);
  const order = { workload: MAIN, seconds: SECONDS, ...site, narrowed: false };
  const feed = await FeedProcess.start(order);
  const size = { width: 360, height: MAIN.rows * 56 + 200 };
  const context = await browser.newContext({ viewport: size, locale: 'en-US' });
  const thrown = new Set<string>();
  try {
    const origin = `http://127.0.0.1:${feed.port}`;
    await context.addCookies([{ name: 'language', value: 'en', url: origin }]);
    await context.addInitScript(keptOnDevice(one));
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => thrown.add(message));
    await page.goto(origin + path);
    await within(LONGEST_START * 1000, feed.begun, 'the page subscribed to no quotes');
    const list = await ready(page, selectors, MAIN);
    const height = size.height + MAIN.rows * list.row - list.height;
    await page.setViewportSize({ ...size, height: Math.round(height) });
    await pause(WARM_UP * 1000);
    await watchList(page, one);
    await page.evaluate(call(watchDrawing));
    await page.evaluate(call(watchGaps, LATE));
    const begun = performance.now();
    await pause(LOOK * 1000);
    const { seen, rows, drawn, late } = await page.evaluate<Noted>(
      '({ seen: benchSeen, rows: benchRowsSeen(), drawn: benchDrawn, late: benchLate })',
    );
    const seconds = (performance.now() - begun) / 1000;
    const { sentAt, late: feedLate } = await feed.stop();
    const sent = sentAfter(recording, sentAt.length);
    const inSight = await expectRows(page, one, MAIN, sent);
    const agesOf = (prices: readonly SeenPrice[]) => ages(recording, sentAt, prices, inSight);
    const rate = framesPerSecond(drawn);
    expectLive(one, { drawn: rate, seen, rows, inSight }, agesOf);
    await expectScrolling(page, one, MAIN, sent, list.row, middleAndEnd(MAIN));
    return {
      seconds,
      drawn: rate,
      late,
      ages: agesOf(seen),
      feedLate,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error([why, ...thrown].join('; the page throws '));
  } finally {
    await context.close();
    await feed.end();
  }
}

interface Noted {
  seen: SeenPrice[];
  rows: SeenRows;
  drawn: number[];
  late: number;
}
