import { setTimeout as pause } from 'node:timers/promises';
import { ages, type SeenPrice } from '#domain/workload/ages';
import type { DeviceSample } from '#domain/workload/deviceRun';
import type { Workload } from '#domain/workload/workload';
import { watchSmoothness } from '../../../src/probe/watchSmoothness';
import { Browser } from './browser';
import { Target } from './cdp';
import type { Contender } from './contenders';
import { watchDrawing } from './drawing';
import type { FeedOrder } from './feed';
import { FeedProcess } from './feedProcess';
import {
  expectLive,
  expectRows,
  expectScrolling,
  framesPerSecond,
  middleAndEnd,
  sentAfter,
  watchList,
} from './gate';
import { Hand, type Span } from './hand';
import { Heaps, type Memory } from './memory';
import { fillDatabase, noteFirstQuote, type SeenRows } from './probe';
import type { Quota } from './quota';
import { call, GATE_PATIENCE, type List, LONGEST_START, ready, within } from './shownList';
import { type Recording, record } from './stream';
import { type Cpu, spent, type Thread } from './threads';
import { type FrameCounts, Frames } from './trace';

/** Seconds of each phase of a run. */
export interface Timing {
  /** From the first rows on, for one-time compiling and loading. */
  warmUp: number;
  /** CPU is measured and nothing else happens. */
  window: number;
  /** Frames and ages are observed. This costs CPU, so none is counted. */
  look: number;
  /** Observe frames in the window too; its CPU then includes the observation. */
  traced?: boolean;
  /** Read the heaps before the window and at its end, while quotes arrive. */
  heaps?: boolean;
}

export interface Setting {
  executable: string;
  quota: Quota | undefined;
  timing: Timing;
  folders: FeedOrder['folders'];
  pages: FeedOrder['pages'];
  /** Records a start until the first live quote, anything else in the window. */
  recorder?: { begin(browser: Browser): Promise<void>; end(): Promise<void> };
  /** Gets what the page throws. */
  errors?: string[];
  /** Gets a picture of the page with live rows, as PNG. */
  picture?: (png: Buffer) => void;
  /** Where the gate scrolls to, in rows. */
  places?: readonly number[];
}

/** With what developer tools and the machine tell beside the page; NaN where a device does not. */
export interface Sample
  extends Pick<
      DeviceSample,
      'ages' | 'watched' | 'longFrames' | 'inputDelays' | 'eventDurations' | 'feedLate'
    >,
    Partial<Pick<DeviceSample, 'rows' | 'clockError' | 'frameInterval'>> {
  /** CPU of the window, ms a second. */
  cpu: Cpu;
  /** Messages to all sockets in it, bytes a second. */
  traffic: number;
  /** Quotes sent in it, a second. */
  quotes: number;
  /** From navigation to the first live quote on screen, ms. */
  firstQuote: number | undefined;
  /** CPU until then, ms, where a start is measured. */
  started?: Cpu;
  frames: FrameCounts | undefined;
  /** Frames a second that draw (drawing.ts); those of the look. */
  drawn?: number;
  /** Bytes of the heaps after a garbage collection. */
  memory: Memory;
  /** The same before the window. */
  memoryBefore?: Memory;
}

/** A phone's page, px; the height is for screens without rows. */
const PHONE = { width: 360, height: 740 };
/** As high as three of the charts in the page, px. */
const WINDOW_HEIGHT = 2500;

/** One run of one contender with a new feed and a new browser; ends with the correctness gate. */
export async function takeSample(
  contender: Contender,
  workload: Workload,
  setting: Setting,
): Promise<Sample> {
  const { warmUp, window, look } = setting.timing;
  // In reserve, so that a slow start does not end the recording.
  const seconds = warmUp + window + look + LONGEST_START;
  const recording = record(workload, seconds);
  const { folders, pages } = setting;
  const narrowed = contender.narrowed === true;
  const feed = await FeedProcess.start({ workload, seconds, folders, pages, narrowed });
  try {
    setting.quota?.set(1);
    // Discarding the code of the start would hide growth of the heap.
    const flags = setting.timing.heaps ? ['--js-flags=--no-flush-bytecode'] : [];
    const browser = await Browser.launch(setting.executable, setting.quota, flags);
    try {
      return await run(browser, feed, contender, workload, setting, recording);
    } finally {
      setting.quota?.set(1);
      await browser.close();
    }
  } finally {
    await feed.end();
  }
}

/** A script that keeps what a device has kept of a visit before. */
export function keptOnDevice({ kept }: Contender): string {
  const read = { 'fulcrum.sandbox-notice-read': 'true', 'fulcrum.welcome-read': 'true' };
  return `Object.assign(localStorage, ${JSON.stringify({ ...read, ...kept })})`;
}

/** Gives the page what a contender's device has kept, and a phone's or its own width. Returns what sets the height, which is a phone's. */
export async function preparePage(
  page: Target,
  contender: Contender,
  origin: string,
  recording: Recording,
): Promise<(height: number) => Promise<unknown>> {
  const { selectors } = contender;
  await page.send('Page.enable');
  await page.send('Network.setCookie', { name: 'language', value: 'en', url: origin });
  await page.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `${keptOnDevice(contender)};Object.assign(sessionStorage, ${JSON.stringify(contender.keptByTab ?? {})});${
      contender.keptDatabase ? call(fillDatabase, contender.keptDatabase) : ''
    };${selectors ? call(noteFirstQuote, selectors, listedPrices(recording)) : ''}`,
  });
  await page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const setHeight = (height: number) =>
    page.send('Emulation.setDeviceMetricsOverride', {
      width: contender.width ?? PHONE.width,
      height,
      deviceScaleFactor: 1,
      mobile: contender.width === undefined,
    });
  await setHeight(PHONE.height);
  return setHeight;
}

async function run(
  browser: Browser,
  feed: FeedProcess,
  contender: Contender,
  workload: Workload,
  setting: Setting,
  recording: Recording,
): Promise<Sample> {
  const { page } = browser;
  const { selectors } = contender;
  const { timing, errors } = setting;
  const { warmUp, window, look } = timing;
  const origin = `http://127.0.0.1:${feed.port}`;
  if (errors) {
    browser.cdp.on('Runtime.exceptionThrown', ({ exceptionDetails }) =>
      errors.push(describe(exceptionDetails as Thrown)),
    );
    await page.send('Runtime.enable');
  }
  const setHeight = await preparePage(page, contender, origin, recording);
  const guess = contender.screen ? PHONE.height : workload.rows * 56 + 200;
  await setHeight(guess);
  const { core, slower, phase } = workload;
  if (phase === 'start') await setting.recorder?.begin(browser);
  const atStart = browser.threads();
  if (phase === 'start') setting.quota?.set(core);
  await page.send('Page.navigate', { url: origin + contender.path });
  // A page that receives nothing has no quotes to wait for.
  const receives = contender.name !== 'blank' && contender.name !== 'frames';
  if (receives) await within(LONGEST_START * 1000, feed.begun, 'the page subscribed to no quotes');
  let atFirst: Thread[] | undefined;
  if (phase === 'start') {
    // Asking again and again would be work of the page.
    await within(GATE_PATIENCE, page.evaluate('window.benchLive'), 'no live quote was painted');
    atFirst = browser.threads();
    await setting.recorder?.end();
  }
  const list = selectors && (await ready(page, selectors, workload));
  if (list) await setHeight(guess + workload.rows * list.row - list.height);
  if (contender.screen) await until(page, contender.screen.open, 'the screen did not come');
  if (contender.shows) await until(page, contender.shows, 'not all of it came');
  const windows: Target[] = [];
  for (const path of contender.windows ?? []) {
    windows.push(await openWindow(browser, origin + path, contender.width ?? PHONE.width));
  }
  const charted = windows.length > 0 ? windows : [page];
  if (contender.charts) await chartsCome(charted, contender.charts);
  await page.send('Page.disable');
  setting.quota?.set(core);
  if (slower > 1) await page.send('Emulation.setCPUThrottlingRate', { rate: slower });
  const hand = new Hand(page, workload.hand, list && spanOf(list, workload.rows));
  await page.evaluate(`void ${call(watchSmoothness)}`);
  const renderer = await browser.pageProcess();
  // Its first walk loads code.
  if (workload.hand === 'walk') hand.begin();
  await pause(warmUp * 1000);
  await hand.rest();
  const heaps = new Heaps(browser.cdp, page, renderer);
  const memoryBefore = timing.heaps ? await heaps.read() : undefined;
  await page.evaluate('benchLong.length = benchDelays.length = 0; benchEvents.clear()');
  const traced = timing.traced ? await Frames.begin(browser.cdp, renderer) : undefined;
  const recorder = phase === 'use' ? setting.recorder : undefined;
  await recorder?.begin(browser);

  const sentBefore = await feed.sent();
  const beginAt = performance.now();
  const before = browser.threads();
  hand.begin();
  await pause(window * 1000);
  await hand.rest();
  const after = browser.threads();
  const lasted = (performance.now() - beginAt) / 1000;
  const cpu = perSecond(spent(before, after, renderer), lasted);
  const traffic = ((await feed.sent()) - sentBefore) / lasted;

  const memoryAfter = timing.heaps ? await heaps.read() : undefined;

  // Delivering the trace is not the contender's work.
  if (traced || recorder) setting.quota?.set(1);
  await recorder?.end();
  let frames = await traced?.end();
  setting.quota?.set(core);
  if (look > 0 && receives) {
    if (selectors) await watchList(page, contender);
    if (selectors || contender.screen) await page.evaluate(call(watchDrawing));
    const trace = await Frames.begin(browser.cdp, renderer);
    hand.begin();
    await pause(look * 1000);
    await hand.rest();
    frames = await trace.end();
  }
  if (setting.picture) {
    const { data } = await page.send('Page.captureScreenshot');
    setting.picture(Buffer.from(String(data), 'base64'));
  }
  const { sentAt, late } = await feed.stop();
  const sent = sentAfter(recording, sentAt.length);
  const inSight = selectors && (await expectRows(page, contender, workload, sent));
  if (contender.screen) {
    const wanted = sent.last.get(sent.names[0] ?? '')?.price;
    const { price, close } = contender.screen;
    const text = `document.querySelector('${price}')?.textContent`;
    await until(page, `${text} === '${wanted}'`, `the gate: no ${wanted} in text`);
    await until(page, `${close} === ${wanted}`, `the gate: no ${wanted} on the chart`);
  }
  if (contender.charts) {
    const { count } = contender.charts;
    const wanted = sent.names.slice(0, count).map((name) => Number(sent.last.get(name)?.price));
    await chartsShow(charted, contender.charts, wanted);
  }
  const noted = await page.evaluate<Noted>(
    '({ first: window.benchFirst, seen: window.benchSeen ?? [], drawn: window.benchDrawn ?? [], rows: window.benchRowsSeen?.(), scrolls: benchScrolls, long: benchLong, delays: benchDelays, events: [...benchEvents.values()] })',
  );
  const drawn = framesPerSecond(noted.drawn);
  const still = inSight && workload.hand === 'still' ? inSight : undefined;
  const agesOf = (seen: readonly SeenPrice[]) =>
    still ? ages(recording, sentAt, seen, still) : [];
  const { seen, rows } = noted;
  if (look > 0) expectLive(contender, { drawn, seen, rows, inSight: still ?? new Set() }, agesOf);
  if (/^fling/.test(workload.hand) && noted.scrolls === 0) throw new Error('no fling scrolled');
  const memory = memoryAfter ?? (await heaps.read());
  for (const each of windows) {
    const { page: own, worker } = await new Heaps(browser.cdp, each).read();
    memory.page += own;
    memory.worker += worker;
  }
  // Last, as it makes rows, and at full speed.
  setting.quota?.set(1);
  if (list) {
    const places = setting.places ?? middleAndEnd(workload);
    await expectScrolling(page, contender, workload, sent, list.row, places);
  }
  return {
    cpu,
    traffic,
    quotes: receives ? workload.rate : 0,
    firstQuote: noted.first,
    ...(atFirst && { started: spent(atStart, atFirst, renderer) }),
    ages: agesOf(seen),
    frames,
    ...(noted.drawn.length > 1 && { drawn }),
    watched: lasted + (traced ? 0 : (frames?.seconds ?? 0)),
    longFrames: noted.long,
    inputDelays: noted.delays,
    eventDurations: noted.events,
    memory,
    ...(memoryBefore && { memoryBefore }),
    feedLate: late,
  };
}

/** Opens a window of the app as a page of its own. */
async function openWindow(browser: Browser, url: string, width: number): Promise<Target> {
  const { cdp } = browser;
  const { targetId } = await cdp.send('Target.createTarget', { url, newWindow: true });
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
  const opened = new Target(cdp, String(sessionId));
  await opened.send('Emulation.setDeviceMetricsOverride', {
    width: Math.round(width / 3),
    height: WINDOW_HEIGHT,
    deviceScaleFactor: 1,
    mobile: false,
  });
  return opened;
}

type Charts = NonNullable<Contender['charts']>;

/** The closes of all charts, those of each page in the order of the instruments. */
async function closesOf(pages: readonly Target[], { closes }: Charts): Promise<unknown[]> {
  const found = await Promise.all(pages.map((each) => each.evaluate<unknown[]>(closes)));
  return found.flat();
}

async function chartsCome(pages: readonly Target[], charts: Charts): Promise<void> {
  const [first] = pages;
  if (pages.length === 1 && first) return until(first, charts.open, 'the charts did not come');
  const deadline = Date.now() + GATE_PATIENCE;
  while (Date.now() < deadline) {
    const seen = await Promise.all(
      pages.map((each) => each.evaluate<boolean>('document.visibilityState === "visible"')),
    );
    const closes = await closesOf(pages, charts).catch(() => []);
    if (seen.every(Boolean) && closes.filter(Boolean).length === charts.count) return;
    await pause(100);
  }
  throw new Error('the charts of the windows did not come');
}

async function chartsShow(
  pages: readonly Target[],
  charts: Charts,
  wanted: readonly number[],
): Promise<void> {
  const deadline = Date.now() + GATE_PATIENCE;
  let closes: unknown[] = [];
  while (Date.now() < deadline) {
    closes = await closesOf(pages, charts);
    if (closes.join() === wanted.join()) return;
    await pause(100);
  }
  throw new Error(`the gate: ${closes} on the charts, not ${wanted}`);
}

interface Noted {
  first?: number;
  scrolls: number;
  seen: SeenPrice[];
  rows?: SeenRows;
  drawn: number[];
  long: number[];
  delays: number[];
  events: number[];
}

export function listedPrices({ instruments }: Recording): Record<string, string> {
  return Object.fromEntries(
    instruments.map(({ ShowCode, ForexQuotations }) => [ShowCode, ForexQuotations.Close]),
  );
}

function perSecond(cpu: Cpu, seconds: number): Cpu {
  return Object.fromEntries(
    Object.entries(cpu).map(([role, ms]) => [role, ms / seconds]),
  ) as unknown as Cpu;
}

interface Thrown {
  text: string;
  exception?: { description?: string };
}

function describe({ text, exception }: Thrown): string {
  return exception?.description ?? text;
}

/** From a fifth to four fifths of the visible rows. */
function spanOf({ x, y, height, row }: List, rows: number): Span {
  const top = y - height / 2;
  const share = (part: number) => Math.round(top + rows * row * part);
  return { x, low: share(0.8), high: share(0.2) };
}

async function until(page: Browser['page'], condition: string, failure: string): Promise<void> {
  const deadline = Date.now() + GATE_PATIENCE;
  while (Date.now() < deadline) {
    if (await page.evaluate<boolean>(`Boolean(${condition})`)) return;
    await pause(100);
  }
  throw new Error(failure);
}
