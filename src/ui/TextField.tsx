import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { classes } from './classes';
import styles from './TextField.module.css';

interface TextFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'children'> {
  label: string;
  /** Names the field in its form: `useProblem` finds it by this. */
  name: string;
  value: string;
  onChange(value: string): void;
  error?: string | undefined;
  /** Below the field, while nothing is wrong with it. */
  hint?: ReactNode;
  /** Within the box, before and behind what is typed. */
  before?: ReactNode;
  after?: ReactNode;
}

/** A line of text. What is wrong with it is said with it (aria-describedby). */
export function TextField({
  label,
  name,
  value,
  onChange,
  error,
  hint,
  before,
  after,
  className,
  ...input
}: TextFieldProps) {
  const id = useId();
  const note = `${id}-note`;
  return (
    <div className={classes(styles.field, className)}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-invalid={error !== undefined || undefined}>
        {before}
        <input
          {...input}
          id={id}
          name={name}
          className={styles.input}
          value={value}
          aria-invalid={error !== undefined}
          aria-describedby={error !== undefined || hint ? note : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        {after}
      </div>
      {(error !== undefined || hint) && (
        <p id={note} className={error === undefined ? styles.hint : styles.error}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
