import type { ReactNode } from 'react';
import { Button } from '../ui/Button';
import { useReadyRegion } from '../ui/useReadyRegion';
import styles from './Banner.module.css';

/** The place of the banners: the live region that announces each of them. */
export function Banners({ children }: { children: ReactNode }) {
  const ready = useReadyRegion();
  return (
    <div className={styles.banners} role="status" aria-atomic={false}>
      {ready && children}
    </div>
  );
}

/** A line of text that stays until the user acts on it, or until it is not true any more. */
export function Banner({
  title,
  text,
  warning = false,
  small = false,
  action,
  onAction,
  children,
}: {
  title?: ReactNode;
  text: ReactNode;
  /** What it says is not what the user wanted. */
  warning?: boolean;
  /** In the size of the strip above: a text that comes late must not become the largest one of the screen. */
  small?: boolean;
  action?: string;
  onAction?(): void;
  children?: ReactNode;
}) {
  return (
    <div
      className={styles.banner}
      data-warning={warning || undefined}
      data-small={small || undefined}
      aria-atomic
    >
      <span className={styles.text}>
        {title && <strong>{title}</strong>} {text}
      </span>
      {action && (
        <Button variant="quiet" {...(onAction && { onClick: onAction })}>
          {action}
        </Button>
      )}
      {children}
    </div>
  );
}
