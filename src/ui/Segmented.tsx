import { type ReactNode, useId } from 'react';
import { classes } from './classes';
import styles from './Segmented.module.css';

interface SegmentedProps<T extends string | number> {
  /** The accessible name of the group. */
  label: string;
  options: readonly { value: T; label: ReactNode }[];
  value: T;
  onChange(value: T): void;
  className?: string;
}

/** A choice between a few options that are always visible: periods, tabs of a list, buy or sell. */
export function Segmented<T extends string | number>({
  label,
  options,
  value,
  onChange,
  className,
}: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className={classes(styles.segmented, className)} aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={styles.segment}>
          <input
            className="hidden-input"
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
          <span className={styles.mark} />
        </label>
      ))}
    </fieldset>
  );
}
