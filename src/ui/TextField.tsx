import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { classes } from './classes';
import { FieldNotes, notesOf } from './FieldNotes';
import styles from './TextField.module.css';

interface TextFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'children'> {
  label: string;
  /** The field's name in its form; `useProblems` finds the field by it. */
  name: string;
  value: string;
  onChange(value: string): void;
  error?: string | undefined;
  /** Shown below the field. */
  hint?: ReactNode;
  /** Content inside the box, before and after the text. */
  before?: ReactNode;
  after?: ReactNode;
  /** A code, a number or an address: from left to right, and not corrected. */
  exact?: boolean;
}

const EXACT = { autoCapitalize: 'off', autoCorrect: 'off', spellCheck: false, dir: 'ltr' };

/** A text field. Its error and hint are announced with it. */
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
  exact = false,
  ...input
}: TextFieldProps) {
  const id = useId();
  const notes = { id, error, hint };
  return (
    <div className={classes(styles.field, className)}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-invalid={error !== undefined || undefined}>
        {before}
        <input
          {...(exact && EXACT)}
          {...input}
          id={id}
          name={name}
          className={styles.input}
          value={value}
          aria-invalid={error !== undefined}
          aria-describedby={notesOf(notes)}
          onChange={(event) => onChange(event.target.value)}
        />
        {after}
      </div>
      <FieldNotes {...notes} />
    </div>
  );
}
