import type { ReactNode } from 'react';
import { passFocus } from './focusRefs';
import styles from './SwipeRow.module.css';

interface SwipeRowProps {
  /** Accessible name of the button, including the name of the row. */
  label: string;
  /** Content of the button: a word or an icon. */
  button: ReactNode;
  disabled?: boolean;
  /** As that of `Button`. */
  busy?: boolean;
  onAct(): void;
  children: ReactNode;
}

/**
 * A row with a button beyond its edge: a swipe or focus brings it into view; with a mouse it is
 * always visible.
 */
export function SwipeRow({ label, button, disabled, busy, onAct, children }: SwipeRowProps) {
  return (
    <div className={styles.row}>
      <div className={styles.content}>{children}</div>
      <button
        ref={passFocus}
        type="button"
        className={styles.act}
        aria-label={label}
        disabled={disabled}
        aria-disabled={busy}
        onClick={busy ? undefined : onAct}
      >
        {button}
      </button>
    </div>
  );
}
