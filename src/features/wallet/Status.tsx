import { CircleCheck, CircleX, Clock } from 'lucide-react';
import styles from './Status.module.css';

const ICONS = { waiting: Clock, done: CircleCheck, bad: CircleX };

/** A state as a word with an icon. */
export function Status({ tone, children }: { tone: keyof typeof ICONS; children: string }) {
  const Icon = ICONS[tone];
  return (
    <span className={styles.status} data-tone={tone}>
      <Icon size={16} />
      {children}
    </span>
  );
}
