// Interactions of a trader under 1,000 quotes a second: npm run bench -- --only interactions [--quick] [--rounds 10] [--out FOLDER]
// Each is played once a round, in random order, on the app and by hand; its figure is the longest event of Event Timing, which ends
// with the next frame on screen. What took less than 16 ms is not told and counts as 16, what failed as the slowest. Then two gestures on the chart (gestures.ts).
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from '#domain/workload/draws';
import { MAIN } from '#domain/workload/workload';
import { watchSmoothness } from '../../../src/probe/watchSmoothness';
import { conditions } from '../../lib/measure';
import { medianOf, quantileOf, shuffled } from '../../lib/statistics';
import { Browser } from '../harness/browser';
import type { Target } from '../harness/cdp';
import { type Contender, contender } from '../harness/contenders';
import { FeedProcess } from '../harness/feedProcess';
import { createQuota, type Quota } from '../harness/quota';
import { preparePage } from '../harness/sample';
import { call } from '../harness/shownList';
import { builtSite } from '../harness/site';
import { record } from '../harness/stream';
import { FAILED, failuresIn, ratioText } from './figures';
import { GESTURES, type Moved, move, WATCH_MOVES } from './gestures';
import {
  type Act,
  BY_HAND,
  CHART,
  CHART_BY_HAND,
  type Control,
  DESKTOP_INTERACTIONS,
  type Interaction,
  PHONE_INTERACTIONS,
} from './interactions';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    out: { type: 'string', default: 'bench/results/interactions.json' },
  },
});

const ROUNDS = Number(values.rounds ?? (values.quick ? 1 : 10));
const CORES = values.quick ? [0.5] : [0.5, 0.25];
/** Of quotes, for the longest rounds: once they end, the list stands still. */
const SECONDS = 120 * (ROUNDS + 1);
const PATIENCE_MS = 10_000;
const HELD_MS = 700;
/** Event Timing tells no shorter ones. */
const LEAST_MS = 16;
/** What a tap has begun, such as the code of a sheet, ends. */
const REST_MS = 400;

const site = builtSite();
const recording = record(MAIN, 1);
const random = randomFrom(Date.now());
const executable = process.env['CHROME_PATH'] ?? '';

/** What one page plays. */
interface Play {
  contender: Contender;
  interactions: readonly Interaction[];
  /** Where its chart is, and the chart on it. */
  gestures?: { at: string; chart: Control };
}

/** What it has measured. */
interface Played {
  interactions: Map<string, number[]>;
  gestures: Map<string, Moved[]>;
}

const byHand = Object.entries(BY_HAND).map(([name, played]) => ({ name, at: '', ...played }));
const plays: readonly Play[] = [
  {
    contender: contender('app'),
    interactions: PHONE_INTERACTIONS,
    gestures: { at: '/trade', chart: CHART },
  },
  { contender: contender('app, desktop'), interactions: DESKTOP_INTERACTIONS },
  ...[...new Set(byHand.map((each) => each.contender))].map((name) => ({
    contender: contender(name),
    interactions: byHand.filter((each) => each.contender === name),
    ...(name === 'REF trade' && { gestures: { at: '', chart: CHART_BY_HAND } }),
  })),
];

/** Runs in the page: the middle of a control, in sight and not covered. */
function middleOf({ selector, name }: Control): { x: number; y: number } | undefined {
  const dialogs = [...document.querySelectorAll('[role=dialog]')];
  const root = dialogs.at(-1) ?? document;
  for (const element of [
    ...root.querySelectorAll(selector),
    ...document.querySelectorAll(selector),
  ]) {
    const labels = (element as HTMLInputElement).labels;
    const label =
      element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element.textContent;
    if (name !== undefined && !label?.trim().startsWith(name)) continue;
    const shown = element.matches('[type=radio], [type=checkbox]')
      ? (labels?.[0] ?? element)
      : element;
    // What sticks to an end of its scroller may cover it there.
    for (const block of ['nearest', 'center', 'start', 'end'] as const) {
      shown.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
      const { x, y, width, height } = shown.getBoundingClientRect();
      const middle = { x: x + width / 2, y: y + height / 2 };
      const hit = document.elementFromPoint(middle.x, middle.y);
      const isHit = hit && (shown.contains(hit) || hit.contains(shown));
      if (isHit || (hit && /canvas/.test(selector))) return middle;
    }
  }
  return undefined;
}

async function until<T>(
  read: () => Promise<T>,
  isDone: (value: T) => boolean,
  what: string,
): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    if (Date.now() > deadline) throw new Error(what);
    await pause(50);
  }
}

async function pointOf(page: Target, control: Control): Promise<{ x: number; y: number }> {
  let former: { x: number; y: number } | undefined;
  const found = await until(
    () => page.evaluate<typeof former>(call(middleOf, control)),
    (point) => {
      // What still moves would be elsewhere when it is tapped.
      const rests = point !== undefined && point.x === former?.x && point.y === former.y;
      former = point;
      return rests;
    },
    `no ${JSON.stringify(control)}`,
  );
  return found as { x: number; y: number };
}

/** Waits for the control; returns what does the act to it. */
async function aim(page: Target, act: Act): Promise<() => Promise<void>> {
  if ('key' in act) {
    const { key } = act;
    const modifiers = act.ctrl ? 2 : 0;
    const types = key.length === 1 && !act.ctrl;
    if (types)
      await until(
        () => page.evaluate<boolean>('Boolean(document.activeElement?.matches("input"))'),
        Boolean,
        'no field has the focus',
      );
    const code = key === 'Escape' ? 27 : key.toUpperCase().charCodeAt(0);
    const event = { key, modifiers, windowsVirtualKeyCode: code };
    return async () => {
      const text = types ? { text: key } : {};
      await page.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event, ...text });
      await page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    };
  }
  const control = 'tap' in act ? act.tap : act.press;
  const point = await pointOf(page, control);
  return async () => {
    await page.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
    if ('press' in act) await pause(HELD_MS);
    await page.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
}

/** Opens a screen, from another one, with no sheet on it: it would go back from an address that it does not expect. */
async function go(page: Target, at: string): Promise<void> {
  await until(
    async () => {
      const open = await page.evaluate<boolean>('Boolean(document.querySelector("[role=dialog]"))');
      if (open) await (await aim(page, { key: 'Escape' }))();
      await pause(REST_MS);
      return !open;
    },
    Boolean,
    'the sheet stayed',
  );
  for (const path of ['/news', at]) {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
    // A screen that has not gone yet would come back with what is open on it.
    await until(
      () => page.evaluate<string>('document.querySelector("main")?.dataset.path'),
      (shown) => path.split('?', 1)[0] === shown,
      `${path} did not come`,
    );
  }
}

/** Ms until the frame after the interaction was on screen. */
async function play(page: Target, { at, before = [], act, changes }: Interaction): Promise<number> {
  if (at) await go(page, at);
  for (const each of before) {
    await (await aim(page, each))();
    await pause(REST_MS);
  }
  const doIt = await aim(page, act);
  await pause(REST_MS);
  await page.evaluate('benchEvents.clear(); window.benchTurn ??= 0');
  const old = await page.evaluate(changes);
  await doIt();
  await until(
    () => page.evaluate(changes),
    (value) => value !== old,
    `${JSON.stringify(act)} changed nothing`,
  );
  await pause(REST_MS);
  const events = await page.evaluate<number[]>('[...benchEvents.values()]');
  if (at === '') await page.evaluate('document.querySelector("[role=dialog]")?.remove()');
  return Math.max(LEAST_MS, ...events);
}

/** All rounds of one page at a share of a core. */
async function playAll(
  { contender: played, interactions, gestures }: Play,
  core: number,
  quota: Quota | undefined,
): Promise<Played> {
  const found = new Map(interactions.map(({ name }) => [name, [] as number[]]));
  const moved = new Map(Object.keys(GESTURES).map((name) => [name, [] as Moved[]]));
  const feed = await FeedProcess.start({ workload: MAIN, seconds: SECONDS, ...site });
  quota?.set(1);
  const browser = await Browser.launch(executable, quota);
  try {
    const { page } = browser;
    const origin = `http://127.0.0.1:${feed.port}`;
    await preparePage(page, played, origin, recording);
    await page.send('Page.navigate', { url: origin + played.path });
    await feed.begun;
    await until(
      () =>
        page.evaluate<boolean>(
          `Boolean(document.querySelector('${played.selectors?.row ?? 'canvas'}'))`,
        ),
      Boolean,
      'the page did not come',
    );
    await page.evaluate(`void ${call(watchSmoothness)}`);
    quota?.set(core);
    const open = played.screen?.open;
    if (open) await until(() => page.evaluate<boolean>(`Boolean(${open})`), Boolean, 'no screen');
    for (let round = 0; round < ROUNDS; round++) {
      for (const interaction of shuffled(interactions, random)) {
        const took = await play(page, interaction).catch((error: Error) => {
          console.error(`${played.name}, ${interaction.name}: ${error.message}`);
          return FAILED;
        });
        found.get(interaction.name)?.push(took);
      }
      console.log(`${core} core, ${played.name}: round ${round + 1} of ${ROUNDS}`);
    }
    if (gestures) {
      if (gestures.at) await go(page, gestures.at);
      await page.evaluate(WATCH_MOVES);
      for (let round = 0; round < ROUNDS; round++)
        for (const [name, places] of shuffled(Object.entries(GESTURES), random))
          moved.get(name)?.push(await move(browser, await pointOf(page, gestures.chart), places));
    }
  } finally {
    quota?.set(1);
    await browser.close();
    await feed.end();
  }
  return { interactions: found, gestures: moved };
}

const quota = createQuota();
if (!quota) console.log('Without groups of processes there is no share of a core: a whole one.');
const results: Record<string, object> = {};
let failed = 0;
const about = { ...conditions(), browser: await Browser.version(executable) };
for (const core of quota ? CORES : [1]) {
  const found = new Map<string, number[]>();
  const moved: Record<string, Record<string, Moved[]>> = {};
  for (const each of plays) {
    const { interactions, gestures } = await playAll(each, core, quota);
    for (const [name, samples] of interactions) found.set(name, samples);
    if (each.gestures) moved[each.contender.name] = Object.fromEntries(gestures);
  }
  const own = [...PHONE_INTERACTIONS, ...DESKTOP_INTERACTIONS];
  console.table(
    own.map(({ name, byHand: peer }) => {
      const samples = found.get(name) ?? [];
      const hand = peer ? (found.get(peer) ?? []) : [];
      return {
        interaction: name,
        'median, ms': medianOf(samples),
        'longest, ms': Math.max(...samples),
        'by hand, ms': peer ? medianOf(hand) : '',
        ratio: peer ? ratioText(samples, hand) : '',
        samples: samples.length,
        failed: failuresIn(samples),
      };
    }),
  );
  const all = own.flatMap(({ name }) => found.get(name) ?? []);
  console.log(
    `${core} core: p98 of ${all.length} interactions, of which ${failuresIn(all)} failed, ${quantileOf(all, 0.98)} ms (goal: 200), median ${medianOf(all)} ms`,
  );
  console.table(
    Object.entries(moved).flatMap(([name, gestures]) =>
      Object.entries(gestures).map(([gesture, rounds]) => {
        const of = (part: keyof Moved) => medianOf(rounds.map((round) => round[part]));
        return {
          gesture: `${gesture}, ${name}`,
          'late frames a minute': of('late').toFixed(0),
          'input delay, ms': of('delay').toFixed(1),
          'p99, ms': of('longest').toFixed(1),
        };
      }),
    ),
  );
  // As JSON what failed is null.
  failed += failuresIn([...found.values()].flat());
  results[core] = { interactions: Object.fromEntries(found), gestures: moved };
  writeFileSync(
    values.out,
    `${JSON.stringify({ about, rounds: ROUNDS, results }, undefined, 2)}\n`,
  );
}
quota?.remove();
process.exit(failed > 0 ? 1 : 0);
