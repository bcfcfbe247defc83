import { useId } from 'react';
import styles from './Choice.module.css';

interface ChoiceProps<T extends string> {
  label: string;
  options: readonly { value: T; label: string; lang?: string }[];
  value: T;
  onChange(value: T): void;
}

/** A choice between options below each other, as in settings and languages. */
export function Choice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option} lang={option.lang}>
          <span className={styles.label}>{option.label}</span>
          <input
            className={styles.input}
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
        </label>
      ))}
    </fieldset>
  );
}
