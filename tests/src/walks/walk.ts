import { expect, vi } from 'vitest';
import { FAULTS } from '../../workers/simulation/faults';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { onDesktop, onPhone } from '../rendering';
import { countSubscriptions } from '../subscriptions';
import {
  appearance,
  choose,
  controls,
  isChosen,
  isTextField,
  nameOf,
  openSheets,
  release,
  touch,
  type,
} from './controls';
import { Watcher } from './properties';
import { WalkedPage } from './walkedPage';

/** What a walk does next, by names that it finds again when the walk is repeated without others. */
type Action =
  | { do: 'press'; name: string; nth: number }
  | { do: 'type'; name: string; nth: number; text: string }
  | { do: 'choose'; name: string; nth: number; index: number }
  | { do: 'open'; address: string }
  | { do: 'wait'; ms: number }
  | { do: 'tick'; id: number; by: number }
  | { do: 'fault'; fault: (typeof NETWORK_FAULTS)[number]; ms: number }
  | { do: 'broker'; what: (typeof BROKER)[number]; nth: number }
  | { do: 'key'; key: (typeof KEYS)[number] }
  | { do: 'language'; language: 'en' | 'de' | 'ar' }
  | { do: 'theme'; theme: 'light' | 'dark' }
  | { do: 'visits'; address: string; presses: string[] }
  | { do: 'back' | 'escape' | 'rest' };

const ADDRESSES = [
  ...['#/', '#/trade', '#/trade?code=EURUSD', '#/trade?code=NZDUSD', '#/order', '#/order?type=0'],
  ...['#/order?type=3', '#/alerts', '#/user', '#/mine/system', '#/mine/results', '#/product'],
  ...['#/mine/statement', '#/language', '#/news', '#/rank', '#/feedback', '#/practice', '#/mining'],
];
/** Where a user spends the time. */
const USUAL = ['#/trade?code=EURUSD', '#/order', '#/order', '#/order?type=0', '#/', '#/alerts'];
const TEXTS = ['0.01', '0.1', '1', '0.5', '1.05', '1.2', '0.9', '10', '100', '1,1', '25'];
const STEPS = ['0', '25', '60', '100'];
const HOSTILE = ['', '-1', '1e9', '0', 'NaN', '٣', '<img src=x onerror=alert(1)>', 'a'.repeat(300)];
/** Of rows and tabs, of the workspace, and of a few actions (screens.md#keyboard). */
const KEYS = ['F6', 'Delete', 'ArrowRight', 'ArrowDown', 'Home', 'Enter', '?', '/', 'b'] as const;
/** Those of the network; a walk has its own Back, and one page. */
const NETWORK_FAULTS = FAULTS.filter(
  (fault) => !/^page|^database|^double|^machine|^clock/.test(fault),
);
/** What happens to orders elsewhere. */
const BROKER = ['fill', 'close', 'night', 'exits', 'part'] as const;
/** Within it what a press has caused is there, ms. */
const ANSWERED_MS = 700;

/** A dead connection is noticed and replaced within it, ms. */
const RECONNECTED_MS = 25_000;

/** Where a walk went wrong. */
class WalkFailed extends Error {
  readonly property: string;
  readonly script: readonly Action[];
  constructor(property: string, cause: Error, script: readonly Action[]) {
    super(`not so: ${property}: ${cause.message}`, { cause });
    this.property = property;
    this.script = script;
  }
}

class Walk {
  readonly page: WalkedPage;
  readonly script: Action[] = [];
  /** How often each control was used. */
  readonly #used = new Map<string, number>();
  /** The controls that could be used last. */
  #usable: ReadonlySet<string> = new Set();
  readonly #planned: Action[] = [];
  /** Controls that have done something, and where. */
  readonly #worked = new Set<string>();
  readonly #random: SeededRandom;
  readonly #watcher: Watcher;

  constructor(seed: number, subscriptions: () => Record<string, number>) {
    this.#random = new SeededRandom(seed);
    this.page = new WalkedPage(new SeededRandom(seed ^ 0x5eed), subscriptions);
    this.#watcher = new Watcher(this.page);
  }

  get counts() {
    return this.#watcher.counts;
  }

  /** Does so many actions, or those of a script. */
  async run(actions: number | readonly Action[]): Promise<void> {
    const { page } = this;
    try {
      await page.open('#/trade?code=EURUSD');
      const length = typeof actions === 'number' ? actions : actions.length;
      for (let at = 0; at < length; at++) {
        const action = typeof actions === 'number' ? this.#next(at, actions) : actions[at];
        if (!action) continue;
        this.script.push(action);
        await this.#do(action);
        this.#watcher.check();
      }
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new WalkFailed(this.#watcher.property, error, this.script);
    } finally {
      await page.end();
    }
  }

  /** Draws an action that is possible now. */
  #next(at: number, length: number): Action {
    const random = this.#random;
    if (at % 75 === 74 || at === length - 1) return { do: 'rest' };
    if (at % 60 === 45) {
      const presses = Array.from({ length: random.between(0, 2) }, () => '');
      return { do: 'visits', address: random.pick([...ADDRESSES, ...USUAL]), presses };
    }
    const then = this.#planned.shift();
    if (then) return then;
    const draw = random.next();
    if (draw < 0.01) {
      // A day of practice is begun by a button among many.
      for (const name of ['button Start', 'button Next bar'])
        this.#planned.push({ do: 'press', name, nth: 0 }, { do: 'wait', ms: 1_000 });
      return { do: 'open', address: '#/practice' };
    }
    if (draw < 0.05)
      return { do: 'open', address: random.pick(random.chance(0.6) ? USUAL : ADDRESSES) };
    if (draw < 0.1) return { do: 'wait', ms: random.pick([100, 1_000, 5_000, 12_000, 30_000]) };
    if (draw < 0.15) return { do: 'tick', id: random.between(1, 3), by: random.between(-40, 40) };
    if (draw < 0.17 && openSheets().length > 0) {
      // What is open when the connection dies is used when that is known.
      this.#planned.push({ do: 'wait', ms: 11_000 });
      return { do: 'fault', fault: 'link dead', ms: 14_000 };
    }
    if (draw < 0.18)
      return { do: 'fault', fault: random.pick(NETWORK_FAULTS), ms: random.between(500, 15_000) };
    if (draw < 0.21) return { do: 'broker', what: random.pick(BROKER), nth: random.between(0, 9) };
    if (draw < 0.22) return { do: 'language', language: random.pick(['en', 'de', 'ar', 'en']) };
    if (draw < 0.225) return { do: 'theme', theme: random.pick(['light', 'dark']) };
    if (draw < 0.27) return { do: 'back' };
    if (draw < 0.29) return { do: 'escape' };
    if (draw < 0.31) return { do: 'key', key: random.pick(KEYS) };
    return this.#use() ?? { do: 'back' };
  }

  /** Uses a control: rather one that was not used yet. */
  #use(): Action | undefined {
    const random = this.#random;
    const all = controls().map((control) => ({ control, name: nameOf(control) }));
    const weights = all.map(({ name, control }) => {
      const again = 1 / (1 + (this.#used.get(name) ?? 0));
      // Where everything leads elsewhere, little is done.
      const inSheet = control.closest('[role="dialog"]') ? 2 : 1;
      // What an action has made possible is tried after it.
      const isNew = this.#usable.has(name) ? 1 : 3;
      return inSheet * isNew * again * (control.tagName === 'A' ? 0.3 : 1) + 0.02;
    });
    this.#usable = new Set(all.map(({ name }) => name));
    let rest = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
    const index = weights.findIndex((weight) => {
      rest -= weight;
      return rest < 0;
    });
    const found = all[index];
    if (!found) return undefined;
    const { control, name } = found;
    this.#used.set(name, (this.#used.get(name) ?? 0) + 1);
    const nth = all.slice(0, index).filter((other) => other.name === name).length;
    if (isTextField(control)) {
      const text = control.matches('[type="range"]')
        ? random.pick(STEPS)
        : random.pick(random.chance(0.8) ? TEXTS : HOSTILE);
      return { do: 'type', name, nth, text };
    }
    if (control instanceof HTMLSelectElement)
      return { do: 'choose', name, nth, index: random.between(0, 20) };
    return { do: 'press', name, nth };
  }

  #find({ name, nth }: { name: string; nth: number }): HTMLElement | undefined {
    return controls().filter((control) => nameOf(control) === name)[nth];
  }

  async #do(action: Action): Promise<void> {
    const { page } = this;
    switch (action.do) {
      case 'press': {
        const control = this.#find(action);
        return control && this.#press(control);
      }
      case 'type': {
        const control = this.#find(action);
        if (control) await page.step(() => type(control, action.text));
        return page.pass(50);
      }
      case 'choose': {
        const control = this.#find(action);
        if (control instanceof HTMLSelectElement)
          await page.step(() => choose(control, action.index));
        return page.pass(50);
      }
      case 'open':
        return page.go(action.address);
      case 'wait':
        return page.pass(action.ms);
      case 'tick':
        page.tick(action.id, action.by);
        return page.pass(100);
      case 'fault': {
        page.network.begin(action.fault, page.clock.steady + action.ms);
        setTimeout(() => page.network.end(action.fault), action.ms);
        return page.pass(300);
      }
      case 'broker':
        page.broker(action.what, action.nth);
        return page.pass(200);
      case 'language':
        return page.setLanguage(action.language);
      case 'theme':
        return page.setTheme(action.theme);
      case 'back':
        return this.#back();
      case 'escape': {
        await page.step(() => page.key('Escape'));
        return page.pass(ANSWERED_MS);
      }
      case 'key':
        return this.#key(action.key);
      case 'visits':
        return this.#visits(action);
      case 'rest':
        return this.#rest();
    }
  }

  /** Presses a control, and expects that it does something. */
  async #press(control: HTMLElement): Promise<void> {
    const { page } = this;
    const watcher = this.#watcher;
    const name = nameOf(control);
    const chosen = isChosen(control);
    await page.step(() => touch(control));
    if (!control.isConnected) return;
    const before = appearance();
    const [calls, focus] = [page.calls.length + drawn, document.activeElement];
    const row = watcher.rowOf(control);
    watcher.pressed(control);
    await page.step(() => release(control));
    const isSame = () =>
      appearance() === before &&
      page.calls.length + drawn === calls &&
      document.activeElement === focus;
    // Code may be loaded, and some answers come late.
    for (let waited = 0; waited < ANSWERED_MS && isSame(); waited += 100) await page.pass(100);
    watcher.look('no control does nothing');
    const where = `${location.href} ${openSheets().length} ${name}`;
    if (!isSame()) this.#worked.add(where);
    // What has set something to a value does not set it again.
    else if (!chosen && !this.#worked.has(where))
      expect.fail(`nothing happens after: ${name} at ${location.href}`);
    await page.pass(ANSWERED_MS);
    watcher.compareSheet(row);
    watcher.checkFocus(name);
  }

  async #key(key: string): Promise<void> {
    const { page } = this;
    this.#watcher.used();
    await page.step(() => page.key(key));
    await page.pass(ANSWERED_MS);
    this.#watcher.checkFocus(`the key ${key}`);
  }

  async #back(): Promise<void> {
    const { page } = this;
    const sheet = openSheets().at(-1);
    if (page.depth === 0 && !sheet) return;
    const { href } = location;
    const looked = appearance();
    await page.step(() => history.back());
    await page.pass(ANSWERED_MS);
    this.#watcher.wentBack(href, sheet, looked);
  }

  /** Closes what is open. */
  async #close(): Promise<void> {
    const { page } = this;
    for (let tries = 0; tries < 6 && openSheets().length > 0; tries++) {
      await page.step(() => page.key('Escape'));
      await page.pass(ANSWERED_MS);
    }
  }

  /** Visits a screen again and again, and uses the same controls there: what it leaves behind may not grow. */
  async #visits({ address, presses }: { address: string; presses: string[] }): Promise<void> {
    const { page } = this;
    await this.#heal();
    const counts = [];
    for (let time = 0; time < 5; time++) {
      await page.go(address);
      for (const [index, name] of presses.entries()) {
        const all = controls().filter((each) => !isTextField(each) && each.tagName === 'BUTTON');
        // The first visit draws them.
        presses[index] ||= all.length > 0 ? nameOf(this.#random.pick(all)) : name;
        const control = this.#find({ name: presses[index], nth: 0 });
        if (control) await this.#press(control);
      }
      await this.#close();
      await page.go('#/about');
      // Messages stay for a while.
      await page.pass(15_000);
      counts.push(this.#watcher.subscriptions());
    }
    this.#watcher.compareCounts(counts, address);
  }

  async #heal(): Promise<void> {
    const { page } = this;
    await this.#close();
    await page.setLanguage('en');
    await page.pass(page.heal() ? RECONNECTED_MS : ANSWERED_MS);
  }

  /** Waits until all is quiet, and compares what is shown with what the server has. */
  async #rest(): Promise<void> {
    const { page } = this;
    await this.#heal();
    // Who has logged out is led to the login.
    await page.go('#/order');
    if (location.hash.startsWith('#/login')) await page.signIn();
    for (const type of [1, 0, 3]) {
      await page.go(`#/order?type=${type}`);
      await page.pass(3_000);
      this.#watcher.compareOrders(type);
    }
    this.#watcher.compareAccount();
    await page.go('#/');
    await page.pass(1_000);
    this.#watcher.comparePrices();
  }
}

/** The shortest script that is found within so many milliseconds which fails alike. */
export async function shrink(seed: number, failed: WalkFailed, ms: number): Promise<WalkFailed> {
  const end = process.hrtime.bigint() + BigInt(ms) * 1_000_000n;
  let shortest = failed;
  const tryOnly = async (script: readonly Action[]) => {
    if (process.hrtime.bigint() > end || script.length >= shortest.script.length) return false;
    const again = await failureOf(seed, script);
    if (again?.property !== failed.property) return false;
    shortest = again;
    return true;
  };
  // Most need only what was done last.
  for (let last = 1; last < failed.script.length; last *= 2)
    if (await tryOnly(failed.script.slice(-last))) break;
  for (let size = shortest.script.length >> 1; size >= 1; size >>= 1)
    for (let from = shortest.script.length - size; from >= 0; from -= size) {
      const { script } = shortest;
      await tryOnly([...script.slice(0, from), ...script.slice(from + size)]);
    }
  return shortest;
}

/** Reads the actions that a failed walk has printed. */
export function readScript(lines: string): Action[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** A third of the walks are on a desktop, with its workspace. */
const isDesktop = (seed: number) => seed % 3 === 1;

/** Counts for all walks of a test. */
let counted: (() => Record<string, number>) | undefined;

/** Walks from a new page; returns where it failed. */
export async function failureOf(
  seed: number,
  actions: number | readonly Action[],
  done: (walk: Walk) => void = () => {},
): Promise<WalkFailed | undefined> {
  vi.resetModules();
  // The chart library draws on a canvas that happy-dom does not have. Two panels that load it at once would both get past a
  // mock of the module.
  const { LiveChart } = await import('../../../src/features/trading/chart/liveChart');
  const { attach } = LiveChart.prototype;
  LiveChart.prototype.attach = function (this: InstanceType<typeof LiveChart>, create) {
    const host = document.createElement('div');
    const space = nothing({ host });
    attach.call(this, create && (() => nothing({ host, space, parts: nothing({}) }) as never));
  };
  // Nor does it play sounds.
  for (const part of ['AudioContext', 'OscillatorNode', 'GainNode'])
    vi.stubGlobal(
      part,
      vi.fn(function silence() {
        return nothing({});
      }),
    );
  if (isDesktop(seed)) onDesktop();
  else onPhone();
  vi.useFakeTimers({ toFake: FAKED, now: WalkedPage.BEGIN });
  counted ??= countSubscriptions();
  const walk = new Walk(seed, counted);
  try {
    await walk.run(actions);
    done(walk);
    return undefined;
  } catch (error) {
    if (error instanceof WalkFailed) return error;
    throw error;
  } finally {
    vi.useRealTimers();
    // The files of a process share their modules, and the window.
    LiveChart.prototype.attach = attach;
    onPhone();
  }
}

/** How often the chart was told something. */
let drawn = 0;

/** Has these fields; all others are functions that do nothing, and return the same. */
function nothing<T extends object>(fields: T, name: string | symbol = ''): T {
  const call = () => {
    drawn += 1;
    return name === 'attach' ? () => undefined : nothing({});
  };
  const known: object = {
    [Symbol.toPrimitive]: () => Number.NaN,
    [Symbol.iterator]: () => [][Symbol.iterator](),
    ...fields,
  };
  return new Proxy(call as unknown as T, {
    get: (_, part) => Reflect.get(known, part) ?? (part === 'then' ? undefined : nothing({}, part)),
  });
}

const FAKED = [
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  ...['requestAnimationFrame', 'cancelAnimationFrame', 'requestIdleCallback'],
  'cancelIdleCallback',
] as NonNullable<Parameters<typeof vi.useFakeTimers>[0]>['toFake'];
