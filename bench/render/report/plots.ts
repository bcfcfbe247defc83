import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { MAIN, type Workload } from '#domain/workload/workload';
import { powerLaw, quantileOf } from '../../lib/statistics';
import { CONTENDERS, type Contender } from '../harness/contenders';
import { isAsMeasured } from '../harness/manifest';
import { SAME_IN_ALL, SAME_IN_SIGHT } from '../harness/plan';
import { measure, pooled, type Results, samplesOf } from '../harness/results';
import type { Sample } from '../harness/sample';
import { ROLES, type Role } from '../harness/threads';

/** Names of those with figures. */
const measuredIn = (results: Results, some: readonly Contender[]): string[] =>
  some.filter((one) => isAsMeasured(results, one)).map(({ name }) => name);
const MOVING = CONTENDERS.filter(({ selectors }) => selectors);
const PART_NAMES: Record<Role, string> = {
  react: 'page thread',
  worker: 'worker',
  compositor: 'compositor and raster',
  renderer: 'rest of the renderer',
  display: 'display process',
  network: 'network process',
  browser: 'browser process and others',
};

type Spec = TopLevelSpec;

const LOOK = {
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  background: 'white',
  config: {
    font: 'sans-serif',
    axis: { titleFontWeight: 'normal' as const },
    legend: { labelLimit: 0 },
  },
} as const;

async function draw(file: string, spec: Spec): Promise<void> {
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  writeFileSync(file, `${await view.toSVG()}\n`);
  view.finalize();
}

/** Draws the results; returns the file names and what they show. */
export async function drawPlots(
  results: Results,
  folder: string,
): Promise<{ file: string; title: string }[]> {
  const plots = [growth(results), threads(results), ages(results), intervals(results)];
  const drawn = [];
  for (const plot of plots) {
    if (!plot) continue;
    const file = `render-${plot.name}.svg`;
    await draw(join(folder, file), plot.spec);
    drawn.push({ file, title: plot.title });
  }
  return drawn;
}

interface Plot {
  name: string;
  title: string;
  spec: Spec;
}

/** Sweeps with constant R and growing N, at points of the grid. */
const SWEEPS: { sweep: string; workloads: readonly Workload[] }[] = [
  { sweep: 'rate in sight constant (10 a second)', workloads: SAME_IN_SIGHT },
  { sweep: 'rate in all constant (1,000 a second)', workloads: SAME_IN_ALL },
];

function growth(results: Results): Plot | undefined {
  const values = SWEEPS.flatMap(({ sweep, workloads }) =>
    (['app', 'REF'] as const).flatMap((name) =>
      (['react', 'worker'] as const).flatMap((part) => {
        const points = workloads.flatMap((workload) => {
          const { median, low, high, count } = measure(
            results,
            workload,
            name,
            ({ cpu }) => cpu[part],
          );
          return count > 0 && median > 0 ? [{ x: workload.n, y: median, low, high }] : [];
        });
        if (points.length < 3) return [];
        const { exponent } = powerLaw(points);
        const line = `${name}, ${part === 'react' ? 'page thread' : 'worker'}`;
        return points.map((point) => ({
          ...point,
          sweep,
          line: `${line}: N^${exponent.toFixed(2)}`,
        }));
      }),
    ),
  );
  if (values.length === 0) return undefined;
  const x = {
    field: 'x',
    type: 'quantitative' as const,
    scale: { type: 'log' as const },
    title: 'instruments (N)',
    axis: { values: [20, 100, 500, 2000, 10_000], grid: false },
  };
  const panel = (sweep: string) => ({
    title: sweep,
    width: 300,
    height: 240,
    transform: [{ filter: `datum.sweep === '${sweep}'` }],
    layer: [
      {
        mark: { type: 'line' as const, point: true },
        encoding: {
          x,
          y: {
            field: 'y',
            type: 'quantitative' as const,
            scale: { type: 'log' as const },
            title: 'CPU, ms a second',
          },
          color: { field: 'line', type: 'nominal' as const, title: null },
        },
      },
      {
        mark: { type: 'rule' as const },
        encoding: {
          x,
          y: { field: 'low', type: 'quantitative' as const },
          y2: { field: 'high' },
          color: { field: 'line', type: 'nominal' as const },
        },
      },
    ],
  });
  return {
    name: 'growth',
    title: 'CPU over the number of instruments, with fitted exponents and 95 % intervals',
    spec: {
      ...LOOK,
      data: { values },
      hconcat: SWEEPS.map(({ sweep }) => panel(sweep)),
      resolve: { scale: { color: 'independent' } },
    },
  };
}

function threads(results: Results): Plot | undefined {
  const values = measuredIn(results, CONTENDERS).flatMap((name) =>
    ROLES.flatMap((part, order) => {
      const { median, count } = measure(results, MAIN, name, ({ cpu }) => cpu[part]);
      return count > 0 ? [{ name, part: PART_NAMES[part], order, ms: median }] : [];
    }),
  );
  if (values.length === 0) return undefined;
  return {
    name: 'threads',
    title: 'Where the CPU goes at the main point, medians',
    spec: {
      ...LOOK,
      width: 560,
      height: { step: 22 },
      data: { values },
      mark: 'bar',
      encoding: {
        y: {
          field: 'name',
          type: 'nominal',
          sort: CONTENDERS.map(({ name }) => name),
          title: null,
        },
        x: { field: 'ms', type: 'quantitative', title: 'CPU, ms a second', stack: 'zero' },
        color: {
          field: 'part',
          type: 'nominal',
          sort: Object.values(PART_NAMES),
          title: null,
          scale: { scheme: 'tableau10' },
        },
        order: { field: 'order', type: 'quantitative' },
      },
    },
  };
}

function ages(results: Results): Plot | undefined {
  const values = measuredIn(results, MOVING).flatMap((name) => {
    const cpu = measure(results, MAIN, name, (sample) => sample.cpu.react);
    const age = pooled(results, MAIN, name, 0.99, (sample) => sample.ages);
    return cpu.count > 0 && age.count > 0 ? [{ name, cpu: cpu.median, age: age.median }] : [];
  });
  if (values.length === 0) return undefined;
  const encoding = {
    x: {
      field: 'cpu',
      type: 'quantitative' as const,
      scale: { type: 'log' as const, nice: false, padding: 40 },
      title: 'CPU of the page thread, ms a second',
    },
    y: {
      field: 'age',
      type: 'quantitative' as const,
      scale: { type: 'log' as const, nice: false, padding: 20 },
      title: 'age of what is seen, p99, ms',
    },
  };
  return {
    name: 'age',
    title: 'Age of what is seen against CPU at the main point: to the left and low is good',
    spec: {
      ...LOOK,
      width: 560,
      height: 320,
      data: { values },
      layer: [
        { mark: { type: 'point', filled: true, size: 60 }, encoding },
        {
          mark: { type: 'text', align: 'left', dx: 7 },
          encoding: { ...encoding, text: { field: 'name', type: 'nominal' } },
        },
      ],
    },
  };
}

const SHARES = [0.05, 0.25, 0.5, 0.75, 0.95];

function intervals(results: Results): Plot | undefined {
  const quantiles = (samples: readonly Sample[]) => {
    const all = samples.flatMap(({ frames }) => frames?.intervals ?? []);
    return all.length < 20 ? undefined : SHARES.map((share) => quantileOf(all, share));
  };
  const values = measuredIn(results, MOVING).flatMap((name) => {
    const found = quantiles([...samplesOf(results, MAIN, name).values()]);
    if (!found) return [];
    const [p5, p25, p50, p75, p95] = found;
    return [{ name, p5, p25, p50, p75, p95 }];
  });
  if (values.length === 0) return undefined;
  const y = {
    field: 'name',
    type: 'nominal' as const,
    sort: MOVING.map(({ name }) => name),
    title: null,
  };
  const x = (field: string) => ({
    field,
    type: 'quantitative' as const,
    title: 'between two presented frames, ms (5, 25, 50, 75 and 95 %)',
  });
  return {
    name: 'intervals',
    title: 'Intervals between presented frames at the main point',
    spec: {
      ...LOOK,
      width: 560,
      height: { step: 22 },
      data: { values },
      layer: [
        { mark: 'rule', encoding: { y, x: x('p5'), x2: { field: 'p95' } } },
        { mark: { type: 'bar', size: 10 }, encoding: { y, x: x('p25'), x2: { field: 'p75' } } },
        { mark: { type: 'tick', color: 'white', size: 10 }, encoding: { y, x: x('p50') } },
      ],
    },
  };
}
