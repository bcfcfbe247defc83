import type { ReactNode } from 'react';
import styles from './ButtonPair.module.css';

/** Two or three buttons side by side, equally wide; where they do not fit, the last has a line of its own. */
export function ButtonPair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>;
}
