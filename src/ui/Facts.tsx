import type { ReactNode } from 'react';
import styles from './Facts.module.css';

export interface Fact {
  name: string;
  value: ReactNode;
}

/** A list of names and values. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
