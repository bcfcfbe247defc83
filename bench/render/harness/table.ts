import { nameOf, type Workload } from '#domain/workload/workload';
import type { Estimate } from '../../lib/statistics';
import { CONTENDERS } from './contenders';
import { AGAIN } from './plan';
import { aboveReceiving, appAt, measure, pooled, type Results, ratio, samplesOf } from './results';
import type { Sample } from './sample';

const figure = (value: number, digits = 1) => (Number.isFinite(value) ? value.toFixed(digits) : '');

function shown({ median, low, high }: Estimate, digits = 2): string {
  if (!Number.isFinite(median)) return '';
  return `${figure(median, digits)} [${figure(low, digits)}, ${figure(high, digits)}]`;
}

const react = ({ cpu }: Sample) => cpu.react;
const whole = ({ cpu }: Sample) => cpu.whole;

const longAMinute = ({ longFrames, watched }: Sample) =>
  longFrames && (longFrames.length * 60) / watched;

/** Without the columns that are empty. */
function filled(rows: Record<string, Record<string, string | number>>): typeof rows {
  const has = (column: string) => Object.values(rows).some((row) => row[column] !== '');
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      Object.fromEntries(Object.entries(row).filter(([column]) => has(column))),
    ]),
  );
}

/** Prints a table for each workload that ran, with the ratios of the goals. */
export function printTables(results: Results): void {
  const workloads = new Map<string, Workload>();
  for (const { workload } of results.runs) workloads.set(nameOf(workload), workload);
  for (const [name, workload] of workloads) {
    console.log(`\n${name}`);
    const rows: Record<string, Record<string, string | number>> = {};
    const own = appAt(results, workload);
    for (const base of [...CONTENDERS.map((one) => one.name), `app${AGAIN}`, `REF${AGAIN}`]) {
      const samples = samplesOf(results, workload, base);
      if (samples.size === 0) continue;
      const of = (value: (sample: Sample) => number | undefined) =>
        measure(results, workload, base, value).median;
      rows[base] = {
        'page ms/s': figure(of(react)),
        'worker ms/s': figure(of(({ cpu }) => cpu.worker)),
        'whole ms/s': figure(of(whole)),
        'page, app /': shown(ratio(results, workload, [own, base], react)),
        'whole above receive': figure(aboveReceiving(results, workload, base, whole).median),
        'above receive, app /': shown(ratio(results, workload, [own, base], whole, 'receive')),
        'whole, app /': shown(ratio(results, workload, [own, base], whole)),
        'age p50': figure(pooled(results, workload, base, 0.5, ({ ages }) => ages).median),
        'age p99': figure(pooled(results, workload, base, 0.99, ({ ages }) => ages).median),
        'frame p95': figure(
          pooled(results, workload, base, 0.95, (s) => s.frames?.intervals ?? []).median,
        ),
        'long/min': figure(of(longAMinute), 0),
        'input p95': figure(pooled(results, workload, base, 0.95, (s) => s.inputDelays).median),
        'event p95': figure(
          pooled(results, workload, base, 0.95, (s) => s.eventDurations ?? []).median,
        ),
        'first ms': figure(
          of(({ firstQuote }) => firstQuote),
          0,
        ),
        'KB/s': figure(of(({ traffic }) => traffic / 1000)),
        'heaps MB': figure(of(({ memory }) => (memory.page + memory.worker) / 1e6)),
        dropped: figure(
          of(({ frames }) => frames?.dropped),
          0,
        ),
        late: figure(
          of(({ feedLate }) => feedLate),
          0,
        ),
        samples: samples.size,
      };
    }
    console.table(filled(rows));
  }
}
