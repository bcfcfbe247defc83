import type { ReactNode } from 'react';
import styles from './SwipeRow.module.css';

interface SwipeRowProps {
  /** What the button does, with the name of what it does it to. */
  label: string;
  /** On the button: a word or an icon. */
  button: ReactNode;
  onAct(): void;
  children: ReactNode;
}

/**
 * A row with a button beyond its edge: swiped into sight by a finger, scrolled
 * into sight when it is focused, always in sight for a mouse.
 */
export function SwipeRow({ label, button, onAct, children }: SwipeRowProps) {
  return (
    <div className={styles.row}>
      <div className={styles.content}>{children}</div>
      <button type="button" className={styles.act} aria-label={label} onClick={onAct}>
        {button}
      </button>
    </div>
  );
}
