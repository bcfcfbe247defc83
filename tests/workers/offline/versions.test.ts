import { beforeAll, expect, it } from 'vitest';
import { serviceWorkerScript } from '../../../scripts/lib/formerParts.mjs';
import { addUp, inTurn, largeCount, seed, seeds, tally } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { FORMER } from '../../upgrade/former';
import { SeededRandom } from '../simulation/seededRandom';
import { contentsOf, Device, Version, versions, type Window } from './versions';

const formerScript = await serviceWorkerScript(FORMER);
const missing = formerScript ? undefined : 'this clone lacks the commit of the former release';

const STEPS = 40;
const MOST_WINDOWS = 3;
const WHAT = [
  ...(['open', 'open', 'take', 'take', 'take', 'close'] as const),
  ...(['release', 'update', 'update', 'close', 'network', 'screen'] as const),
];
/** What happens in every sample. */
const USUAL = [
  ...['pages of the former release', 'pages of the present release', 'take'],
  ...['taken beside other windows', 'taken by a window that is left'],
  'pages with the service worker of another release',
];

let former: Version;
let present: Version;

beforeAll(async () => {
  const script = await serviceWorkerScript();
  if (!script || !formerScript) return;
  former = new Version('former', formerScript, (paths) => paths);
  present = new Version('present', script);
  versions.push(former, present);
});

/** Fails where a window has not what was kept for it, or has what is another version's. */
async function check(window: Window, name: string): Promise<void> {
  const { version, kept } = window;
  for (const path of kept)
    expect(await window.load(path), `${name}: ${path}`).toBe(contentsOf(path));
  for (const path of version.screens)
    expect([undefined, contentsOf(path)], `${name}: ${path}`).toContain(await window.load(path));
}

/** Releases follow each other, and are taken back, while pages are opened, left, and go on. */
async function live(run: number): Promise<Record<string, number>> {
  const random = new SeededRandom(run);
  const device = new Device(random.pick([former, present]));
  const happened: Record<string, number> = {};
  const count = (what: string, isSo = true) => {
    if (isSo) happened[what] = (happened[what] ?? 0) + 1;
  };
  const open = async () => {
    const window = await device.visit(
      random.chance(0.3) ? 'no-cache' : 'default',
      random.chance(0.8),
    );
    const isKept = device.active !== undefined;
    if (device.isOnline || isKept) expect(window, `SEED=${run}: no page`).toBeDefined();
    if (!window) return;
    count(`pages of the ${window.version.name} release`);
    // As browsers do after a navigation, sooner or later.
    if (random.chance(0.5)) await device.update();
    for (const path of window.version.shell)
      expect(await window.load(path), `SEED=${run}: ${path}`).toBe(contentsOf(path));
  };
  const actions: Record<(typeof WHAT)[number], () => unknown> = {
    release: () => {
      device.server = device.server === former ? present : former;
    },
    update: () => device.update(),
    open,
    close: () => device.windows.delete(random.pick([...device.windows])),
    network: () => {
      device.isOnline = !device.isOnline || random.chance(0.6);
    },
    screen: async () => {
      const window = random.pick([...device.windows]);
      if (window && (await window.load(random.pick(window.version.screens)))) await window.keep();
    },
    take: async () => {
      count('taken beside other windows', device.windows.size > 1);
      // That of the former release forgets what a window beside it needs, if the one that took it is gone.
      const leaves = device.waiting?.version === present && random.chance(0.3);
      count('taken by a window that is left', leaves);
      await device.take(random.pick([...device.windows]), leaves);
    },
  };
  for (let step = 0; step < STEPS; step++) {
    const able = WHAT.filter(
      (what) =>
        (device.windows.size > 0 || !['close', 'screen', 'take'].includes(what)) &&
        (device.waiting || what !== 'take') &&
        (device.windows.size < MOST_WINDOWS || what !== 'open'),
    );
    const what = random.pick(able);
    await actions[what]();
    count(what);
    for (const window of device.windows) {
      await check(window, `SEED=${run}, step ${step}, after ${what}`);
      if (window.version !== window.controller?.version && window.controller)
        count('pages with the service worker of another release');
    }
  }
  device.isOnline = true;
  device.windows.clear();
  await device.update();
  const [first, second] = [await device.visit('no-cache'), await device.visit()];
  expect([first?.version, second?.version], `SEED=${run}`).toEqual([device.server, device.server]);
  return happened;
}

unless(inTurn(it), missing)(
  'a page kept open over releases has its files, whichever service worker answers for it',
  async () => {
    const runs = seeds(30, 2_000);
    await largeCount('devices over releases', runs, async (progress) => {
      const happened: Record<string, number>[] = [];
      for (let run = seed; run < seed + runs && progress(run - seed); run++)
        happened.push(await live(run));
      const all = addUp(happened);
      for (const what of USUAL) expect(all[what], what).toBeGreaterThan(0);
      return `each file there, and that of its page; ${tally(all)}`;
    });
  },
);
