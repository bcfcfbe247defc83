import type { DeviceRun, DeviceSample } from '#domain/workload/deviceRun';
import { quantileOf } from '#domain/workload/quantiles';
import { formatShort, UNKNOWN } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import styles from './SpeedTest.module.css';
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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
    <section className={styles.frame} tabIndex={0} aria-label={t('bench.result')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('bench.screen')}</th>
            {NAMES.map((name) => (
              <th scope="col" key={name}>
                {t(`bench.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={stepName(run)}>
              <th scope="row">{stepName(run)}</th>
              {NAMES.map((name) => (
                <td key={name}>{run.sample ? text(FIGURES[name](run.sample)) : UNKNOWN}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
