import type { ReactNode } from 'react';
import type { ChartType } from '../chartSettings';
import styles from './TypePicture.module.css';

const RISING = 'M2 18 8 11 13 14 22 5';
const CANDLE = 'M7 3v18';

/** In a square of 24. */
const PICTURES: Record<ChartType, ReactNode> = {
  candles: (
    <>
      <path d={`${CANDLE}M17 4v15`} />
      <path className={styles.solid} d="M4.5 7h5v10h-5zM14.5 7h5v8h-5z" />
    </>
  ),
  hollow: (
    <>
      <path d="M7 3v4M7 17v4M17 4v15" />
      <path d="M4.5 7h5v10h-5z" />
      <path className={styles.solid} d="M14.5 7h5v8h-5z" />
    </>
  ),
  bars: <path d={`${CANDLE}M3 16h4M7 7h4M17 5v15M13 9h4M17 16h4`} />,
  line: <path d={RISING} />,
  area: (
    <>
      <path className={styles.shade} d={`${RISING}V21H2Z`} />
      <path d={RISING} />
    </>
  ),
  baseline: (
    <>
      <path className={styles.shade} d="M2 12 8 6 12 12 17 18 22 12Z" />
      <path d="M2 12 8 6 12 12 17 18 22 12" />
      <path className={styles.dashes} d="M2 12h20" />
    </>
  ),
  'heikin-ashi': (
    <>
      <path d="M4 14v7M10 10v9M15 6v9M20 3v9" />
      <path className={styles.solid} d="M2 15h4v5h-4zM8 11h4v6h-4zM13 7h4v6h-4zM18 4h4v6h-4z" />
    </>
  ),
};

/** What a chart of a type looks like. */
export function TypePicture({ type }: { type: ChartType }) {
  return (
    <svg className={styles.picture} viewBox="0 0 24 24" aria-hidden="true">
      {PICTURES[type]}
    </svg>
  );
}
