import { toUsd } from '#domain/core/units';
import type { CurvePoint } from '#domain/wallet/statement';
import type { Results } from '#domain/worker/trading';
import { formatAmount, formatDate, formatUsd } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import type { Direction } from '../../../ui/direction';
import { Ltr } from '../../../ui/Ltr';
import styles from './BalanceCurve.module.css';

const WIDTH = 320;
const HEIGHT = 120;

/** The balance over the period in steps: it stays as it is until the next order closes. */
function curvePath(points: readonly CurvePoint[]): { path: string; base: string } {
  const first = points[0] as CurvePoint;
  const last = points.at(-1) as CurvePoint;
  const { low, high } = extremes(points);
  const span = last.time - first.time || 1;
  const x = ({ time }: CurvePoint) => (((time - first.time) / span) * WIDTH).toFixed(1);
  // One pixel above and below is left for the width of the line.
  const y = ({ balance }: CurvePoint) =>
    (HEIGHT - 1 - (high === low ? 0.5 : (balance - low) / (high - low)) * (HEIGHT - 2)).toFixed(1);
  const steps = points.slice(1).map((point) => `H${x(point)}V${y(point)}`);
  return { path: `M0 ${y(first)}${steps.join('')}`, base: y(first) };
}

function extremes(points: readonly CurvePoint[]) {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { balance } of points) {
    low = Math.min(low, balance);
    high = Math.max(high, balance);
  }
  return { low, high };
}

interface BalanceCurveProps {
  balance: NonNullable<Results['balance']>;
  direction: Direction;
}

/** The curve of the balance, never mirrored. The table below it has the same in words. */
export function BalanceCurve({ balance, direction }: BalanceCurveProps) {
  const t = useT();
  const { curve, closing } = balance;
  const [first] = curve;
  const last = curve.at(-1);
  if (!first || !last) return null;
  const { low, high } = extremes(curve);
  const { path, base } = curvePath(curve);
  const amount = (value: number) => formatAmount(toUsd(value.toFixed(2)), 2);
  const label = t('results.curve', {
    opening: amount(first.balance),
    closing: formatAmount(closing, 2),
    low: amount(low),
    high: amount(high),
  });
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span>{t('results.statement.closing')}</span>
        <Ltr className={styles.closing}>{formatUsd(closing)}</Ltr>
      </figcaption>
      <div className={styles.plot} dir="ltr" role="img" aria-label={label}>
        <svg
          className={styles.curve}
          data-direction={direction}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path className={styles.area} d={`${path}V${base}H0Z`} />
          <path className={styles.baseline} d={`M0 ${base}H${WIDTH}`} />
          <path className={styles.line} d={path} />
        </svg>
        <div className={styles.scale} aria-hidden="true">
          <span>{amount(high)}</span>
          {high !== low && <span>{amount(low)}</span>}
        </div>
      </div>
      <div className={styles.dates} dir="ltr" aria-hidden="true">
        <bdi>{formatDate(first.time)}</bdi>
        <bdi>{formatDate(last.time)}</bdi>
      </div>
    </figure>
  );
}
