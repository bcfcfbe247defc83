import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { classes } from './classes';
import styles from './TextField.module.css';

interface TextFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'children'> {
  label: string;
  /** The field's name in its form; `useProblem` finds the field by it. */
  name: string;
  value: string;
  onChange(value: string): void;
  error?: string | undefined;
  /** Shown below the field while there is no error. */
  hint?: ReactNode;
  /** Content inside the box, before and after the text. */
  before?: ReactNode;
  after?: ReactNode;
}

/** A text field. Its error is announced with it (aria-describedby). */
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
