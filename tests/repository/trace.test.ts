import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const { ROLES } = await import('../../bench/render/harness/threads' as string);
const { completed, KINDS, nothing, sum } = await import('../../bench/render/trace/sums' as string);
const { bars } = await import('../../bench/render/trace/results' as string);
const { drawTrace } = await import('../../bench/render/trace/picture' as string);

type Kinds = Record<string, number>;

/** Two renderers, a worker, a compositor, and the processes around them; made by hand. */
const { traceEvents } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'traces/small.json'), 'utf8'),
);

/** The kinds that have any time, ms. */
const some = (kinds: Kinds) => Object.fromEntries(Object.entries(kinds).filter(([, ms]) => ms > 0));

it('splits the time of a thread by its innermost event', () => {
  const { roles } = sum(traceEvents);
  expect(some(roles.react)).toEqual({
    // 10 ms of a call, less 2 of compiling and 3 of a forced layout, which holds 1 of style; and
    // the 1.5 of a call inside an event without CPU time.
    script: 6.5,
    'parse and compile': 2,
    style: 1,
    layout: 2,
    // A name that no rule knows belongs to the painting around it.
    paint: 4,
    'garbage collection': 0.5,
    // Tasks of 14, 4 and 2 ms around all of these.
    other: 4,
  });
});

it('takes tasks of which nothing is known for what their thread usually does', () => {
  const { roles } = sum(traceEvents);
  expect(some(roles.compositor)).toEqual({ compositing: 3 });
  expect(some(roles.worker)).toEqual({ script: 4, messages: 2, other: 1 });
  expect(some(roles.renderer)).toEqual({ raster: 2.5, messages: 1, other: 0.5 });
  expect(some(roles.network)).toEqual({ messages: 5 });
  expect(some(roles.display)).toEqual({ compositing: 6 });
  // The renderer of another page is not this page.
  expect(some(roles.browser)).toEqual({ script: 1, other: 2 });
});

it('takes the renderer that works most for the page, and leaves the recorder out', () => {
  const { page, threads } = sum(traceEvents) as {
    page: number;
    threads: { process: string; thread: string }[];
  };
  expect(page).toBe(20);
  expect(threads.map(({ process, thread }) => `${process}: ${thread}`).sort()).toEqual([
    'Browser: CrBrowserMain',
    'GPU Process: VizCompositorThread',
    'Renderer: Chrome_ChildIOThread',
    'Renderer: Compositor',
    'Renderer: CrRendererMain',
    'Renderer: CrRendererMain',
    'Renderer: DedicatedWorker thread',
    'Renderer: ThreadPoolForegroundWorker',
    'Service: network.mojom.NetworkService: Chrome_ChildIOThread',
  ]);
});

it('names the most expensive events, and counts the tasks of 50 ms', () => {
  const { costly, long } = sum(traceEvents);
  const [first] = costly;
  expect(first).toEqual({ role: 'react', event: 'FunctionCall show', kind: 'script', ms: 5 });
  // The task of 14 ms of CPU took 60 of the clock.
  expect(long.count).toBe(1);
  expect(some(long.kinds)).toEqual({
    script: 5,
    'parse and compile': 2,
    style: 1,
    layout: 2,
    'garbage collection': 0.5,
    other: 3.5,
  });
});

it("adds what only the scheduler knows of as 'other', and never less than nothing", () => {
  const { roles } = sum(traceEvents);
  const cpu = { ...Object.fromEntries(ROLES.map((role: string) => [role, 0])), react: 30 };
  const more = completed(roles, cpu);
  expect(more.react.other).toBe(14);
  expect(more.react.script).toBe(roles.react.script);
  expect(more.worker).toEqual(roles.worker);
});

const of = (contender: string, script: number, unrecorded: number) => ({
  contender,
  seconds: 5,
  unrecorded: { react: unrecorded, whole: unrecorded },
  roles: Object.fromEntries(
    ROLES.map((role: string) => [role, { ...nothing(), ...(role === 'react' && { script }) }]),
  ),
  threads: [],
  costly: [],
  long: { count: 0, kinds: nothing() },
});
const scenario = {
  name: 'list',
  title: 'Rows & "prices"',
  workload: {},
  unit: 'ms/s',
  runs: [of('app', 30, 35), of('app', 50, 45), of('REF', 20, 10)],
};

it('draws the means of the runs, to scale, and says them in words', () => {
  const [app, ref] = bars(scenario, 'react');
  expect(app).toMatchObject({ contender: 'app', unrecorded: 40, kinds: { script: 40 } });
  expect(ref).toMatchObject({ contender: 'REF', unrecorded: 10, kinds: { script: 20 } });

  const svg: string = drawTrace(scenario, {
    cpu: 'a CPU',
    cores: 2,
    browser: 'B',
    at: '2026-11-23T',
  });
  const widths = [...svg.matchAll(/<rect class="k0" [^>]*width="([\d.]+)" height="17"/g)].map(
    ([, width]) => Number(width) + 1,
  );
  // The whole browser and the page's thread; roles without time have no bars.
  expect(widths).toHaveLength(4);
  expect(widths[0]).toBeCloseTo(2 * (widths[1] ?? 0), 0);
  expect(svg).toContain('page thread: app 40.0 ms/s (script 40.0); REF 20.0 ms/s (script 20.0).');
  expect(svg).toContain('<title id="title">Rows &amp; &quot;prices&quot;: where');
  expect(svg).toContain('role="img" aria-labelledby="title what"');
  expect(svg).not.toMatch(/NaN|undefined|worker<\/text>/);
});

/** Relative luminance of #rgb or #rrggbb. */
function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex;
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The colour that a rule of the picture sets. */
function fillOf(css: string, selector: string): string {
  const [, color = ''] = css.match(new RegExp(`${selector}\\{fill:(#\\w+)`)) ?? [];
  return color;
}

it.each(['light', 'dark'])('is readable on its %s background', (theme) => {
  const svg: string = drawTrace(scenario, {});
  const [light = '', dark = ''] = svg.split('@media(prefers-color-scheme:dark)');
  const css = theme === 'dark' ? dark : light;
  const card = fillOf(css, '\\.card');
  expect(luminance(card) > 0.5).toBe(theme === 'light');
  expect(contrast(fillOf(css, 'text'), card)).toBeGreaterThanOrEqual(7);
  expect(contrast(fillOf(css, '\\.faint'), card)).toBeGreaterThanOrEqual(4.5);
  for (const [index, kind] of (KINDS as string[]).entries()) {
    const fill = fillOf(light, `\\.k${index}`);
    expect(contrast(fill, card), kind).toBeGreaterThanOrEqual(3);
    expect(contrast(fillOf(css, `text\\.t${index}`), fill), kind).toBeGreaterThanOrEqual(4.5);
  }
});
