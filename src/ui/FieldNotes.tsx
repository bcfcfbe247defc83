import type { ReactNode } from 'react';
import styles from './TextField.module.css';

interface Notes {
  /** Of the field. */
  id: string;
  error: string | undefined;
  hint?: ReactNode;
}

/** What is said below a field: its error, and the hint that stays with it. */
export function FieldNotes({ id, error, hint }: Notes) {
  return (
    <>
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
      {hint && hint !== error && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </>
  );
}

/** Ids of what a screen reader reads with the field (aria-describedby): its notes, and `more`. */
export function notesOf({ id, error, hint }: Notes, more?: string): string | undefined {
  const ids = [
    error !== undefined && `${id}-error`,
    hint && hint !== error && `${id}-hint`,
    more,
  ].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}
