import { useRef } from 'react';
import { useSparkline } from '../gateway/sparklines';
import { dataSaverOn } from '../session/dataSaver';
import { useValue } from '../signals';
import styles from './Sparkline.module.css';

const WIDTH = 56;
const HEIGHT = 28;

/** The closes as an SVG path that fills the box. */
export function sparklinePath(closes: ArrayLike<number>, width = WIDTH, height = HEIGHT): string {
  if (closes.length < 2) return '';
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < closes.length; i++) {
    low = Math.min(low, closes[i] as number);
    high = Math.max(high, closes[i] as number);
  }
  const range = high - low;
  const points: string[] = [];
  for (let i = 0; i < closes.length; i++) {
    const x = (i / (closes.length - 1)) * width;
    const share = range === 0 ? 0.5 : ((closes[i] as number) - low) / range;
    // Leave one pixel above and below for the width of the line.
    const y = height - 1 - share * (height - 2);
    points.push(`${x.toFixed(1)} ${y.toFixed(1)}`);
  }
  return `M${points.join('L')}`;
}

/**
 * The last 24 hours as a small chart. Decorative, because the change says the same; not shown with
 * the data saver on.
 */
export function Sparkline({ instrumentId }: { instrumentId: number }) {
  return useValue(dataSaverOn) ? null : <Line instrumentId={instrumentId} />;
}

function Line({ instrumentId }: { instrumentId: number }) {
  const svg = useRef<SVGSVGElement>(null);
  useSparkline(instrumentId, (closes) => {
    const [area, line] = svg.current?.children ?? [];
    const path = closes ? sparklinePath(closes) : '';
    line?.setAttribute('d', path);
    area?.setAttribute('d', path && `${path}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`);
    const rose = closes && (closes.at(-1) ?? 0) >= (closes[0] ?? 0);
    svg.current?.setAttribute('data-trend', rose ? 'up' : 'down');
  });
  return (
    <svg
      ref={svg}
      className={styles.sparkline}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      <path className={styles.area} />
      <path className={styles.line} />
    </svg>
  );
}
