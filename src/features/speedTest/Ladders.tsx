import { isHeld, type Rung } from '#domain/workload/verdict';
import { formatCount, formatDecimals, UNKNOWN } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import styles from './SpeedTest.module.css';

interface LaddersProps {
  /** This device first. */
  ladders: readonly { name: string; ladder: readonly Rung[] }[];
}

/** What lags at each rate, on this device and others. */
export function Ladders({ ladders }: LaddersProps) {
  const t = useT();
  const rates = ladders[0]?.ladder.map(({ rate }) => rate) ?? [];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
    <section className={styles.frame} tabIndex={0} aria-label={t('bench.rate')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('bench.rate')}</th>
            {rates.map((rate) => (
              <th scope="col" key={rate}>
                {formatCount(rate)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ladders.map(({ name, ladder }, index) => (
            <tr key={name} data-own={index === 0 || undefined}>
              <th scope="row">{name}</th>
              {rates.map((rate) => (
                <Lag key={rate} rung={ladder.find((each) => each.rate === rate)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Lag({ rung }: { rung: Rung | undefined }) {
  const known = rung && Number.isFinite(rung.lag);
  return (
    <td data-missed={!(rung && isHeld(rung)) || undefined}>
      {known ? formatDecimals(rung.lag, 1) : UNKNOWN}
    </td>
  );
}
