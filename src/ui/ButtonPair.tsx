import type { ReactNode } from 'react';
import styles from './ButtonPair.module.css';

/** Two buttons side by side, equally wide. */
export function ButtonPair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>;
}
