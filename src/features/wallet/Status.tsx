import { CircleCheck, CircleX, Clock } from 'lucide-react';
import styles from './Status.module.css';

const ICONS = { waiting: Clock, done: CircleCheck, bad: CircleX };

/** What has become of something: a word, and a sign for the corner of the eye. */
export function Status({ tone, children }: { tone: keyof typeof ICONS; children: string }) {
  const Icon = ICONS[tone];
  return (
    <span className={styles.status} data-tone={tone}>
      <Icon size={16} aria-hidden="true" />
      {children}
    </span>
  );
}
