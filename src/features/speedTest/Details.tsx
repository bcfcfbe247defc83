import type { DeviceRun, DeviceSample } from '#domain/workload/deviceRun';
import { quantileOf } from '#domain/workload/quantiles';
import { formatShort, UNKNOWN } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { ScrollingTable } from './ScrollingTable';
import { stepName } from './verdict';

/** The figures of a step, in the order of the columns; names are keys below `bench.`. */
const FIGURES = {
  framesPerSecond: ({ frames }) => frames.presented / frames.seconds,
  longFrames: ({ longFrames }) => longFrames?.length ?? Number.NaN,
  age99: ({ ages }) => quantileOf(ages, 0.99),
  keyDelay95: ({ inputDelays }) => quantileOf(inputDelays, 0.95),
} as const satisfies Record<string, (sample: DeviceSample) => number>;
const NAMES = Object.keys(FIGURES) as (keyof typeof FIGURES)[];

/** The figures of each step. */
export function Details({ runs }: { runs: readonly DeviceRun[] }) {
  const t = useT();
  const text = (value: number) => (Number.isFinite(value) ? formatShort(value) : UNKNOWN);
  const heads = [t('bench.screen'), ...NAMES.map((name) => t(`bench.${name}`))];
  return (
    <ScrollingTable label={t('bench.result')} heads={heads}>
      {runs.map((run) => (
        <tr key={stepName(run)}>
          <th scope="row">{stepName(run)}</th>
          {NAMES.map((name) => (
            <td key={name}>{run.sample ? text(FIGURES[name](run.sample)) : UNKNOWN}</td>
          ))}
        </tr>
      ))}
    </ScrollingTable>
  );
}
