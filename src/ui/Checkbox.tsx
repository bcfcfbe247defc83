import type { ReactNode } from 'react';
import styles from './Checkbox.module.css';

interface TickProps {
  checked: boolean;
  onChange(checked: boolean): void;
  children: ReactNode;
}

/** A checkbox whose label is part of the touch target. */
export function Checkbox({ checked, onChange, children }: TickProps) {
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
