import styles from './Chart.module.css';

/** Wick and body of each candle of the placeholder, in percent of the height, top first. */
const CANDLES = Array.from({ length: 24 }, (_, index) => {
  const middle = 45 + 18 * Math.sin(index / 3.1) + 8 * Math.sin(index * 1.7);
  const body = 4 + 3 * Math.abs(Math.sin(index * 2.3));
  return { middle, body, wick: body + 3 + 3 * Math.abs(Math.cos(index * 1.3)) };
});

/** The placeholder of the chart. */
export function ChartSkeleton() {
  return (
    <svg
      className={styles.skeleton}
      viewBox="0 0 240 100"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {CANDLES.map(({ middle, body, wick }, index) => (
        <g key={middle}>
          <rect x={index * 10 + 4.6} y={middle - wick} width={0.8} height={2 * wick} />
          <rect x={index * 10 + 2} y={middle - body} width={6} height={2 * body} />
          <rect x={index * 10 + 2} y={100 - body * 1.8} width={6} height={body * 1.8} />
        </g>
      ))}
    </svg>
  );
}
