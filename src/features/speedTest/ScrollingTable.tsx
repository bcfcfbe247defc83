import type { ReactNode } from 'react';
import styles from './SpeedTest.module.css';

interface ScrollingTableProps {
  label: string;
  /** One for each column; the first column names the rows. */
  heads: readonly string[];
  /** The rows. */
  children: ReactNode;
}

/** A table that scrolls sideways where it is too wide, by keys too. */
export function ScrollingTable({ label, heads, children }: ScrollingTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
    <section className={styles.frame} tabIndex={0} aria-label={label}>
      <table className={styles.table}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
