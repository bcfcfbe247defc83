import type { ReactNode } from 'react';
import { Button } from '../ui/Button';
import styles from './Banner.module.css';

/** A line of text that stays until the user acts on it. */
export function Banner({
  text,
  action,
  onAction,
  children,
}: {
  text: string;
  action: string;
  onAction(): void;
  children?: ReactNode;
}) {
  return (
    <div className={styles.banner} role="status">
      <span className={styles.text}>{text}</span>
      <Button variant="quiet" onClick={onAction}>
        {action}
      </Button>
      {children}
    </div>
  );
}
