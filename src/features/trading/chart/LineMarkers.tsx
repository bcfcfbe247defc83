import { ArrowDown, ArrowUp } from 'lucide-react';
import { formatCount, formatPrice } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { useValue } from '../../../useValue';
import styles from './Chart.module.css';
import type { Side } from './lineScale';
import type { LiveChart } from './liveChart';

const ARROWS = { above: ArrowUp, below: ArrowDown } as const;

/**
 * At the upper and lower edge of the chart: the nearest order line outside the axis, as a button
 * that scales the axis to it.
 */
export function LineMarkers({ live, precision }: { live: LiveChart; precision: number }) {
  return (['above', 'below'] as const).map((side) => (
    <Marker key={side} live={live} side={side} precision={precision} />
  ));
}

function Marker({ live, side, precision }: { live: LiveChart; side: Side; precision: number }) {
  const t = useT();
  const marker = useValue(live.markers)[side];
  if (!marker) return null;
  const { line, count, revealed } = marker;
  const Arrow = ARROWS[side];
  return (
    <button
      type="button"
      className={styles.marker}
      data-side={side}
      data-tone={line.tone}
      aria-pressed={revealed}
      onClick={() => live.reveal(side, !revealed)}
    >
      <span className={styles.pill}>
        <Arrow size={14} />
        <bdi>{line.label}</bdi> <bdi>{formatPrice(line.price, precision)}</bdi>
        {count > 1 && <bdi> +{formatCount(count - 1)}</bdi>}
        <span className="visually-hidden">{t(`trade.chart.${side}`)}</span>
      </span>
    </button>
  );
}
