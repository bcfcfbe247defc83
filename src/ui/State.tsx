import type { ReactNode } from 'react';
import styles from './State.module.css';

interface StateProps {
  /** An icon, 24 px. */
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  /** The next step: a button or a link. */
  action?: ReactNode;
}

/** An empty list: what would be here, and the next step. */
export function EmptyState({ icon, title, children, action }: StateProps) {
  return (
    <div className={styles.state}>
      {icon}
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** A failure: what happened, what was not lost, what to do. */
export function FailureState(props: StateProps) {
  return (
    <div role="alert">
      <EmptyState {...props} />
    </div>
  );
}
