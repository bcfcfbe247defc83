import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { FieldNotes, notesOf } from './FieldNotes';
import styles from './SelectField.module.css';
import text from './TextField.module.css';

interface SelectFieldProps {
  label: string;
  /** The field's name in its form; `useProblems` finds the field by it. */
  name: string;
  options: readonly { value: number; label: string }[];
  value: number | undefined;
  onChange(value: number): void;
  /** Shown while nothing is chosen. */
  placeholder: string;
  error?: string | undefined;
  hint?: ReactNode;
  disabled?: boolean;
}

/** A choice by the device's native picker. */
export function SelectField({
  label,
  name,
  options,
  value,
  onChange,
  placeholder,
  error,
  hint,
  disabled,
}: SelectFieldProps) {
  const id = useId();
  const notes = { id, error, hint };
  return (
    <div className={text.field}>
      <label className={text.label} htmlFor={id}>
        {label}
      </label>
      <div className={text.box} data-invalid={error !== undefined || undefined}>
        <select
          id={id}
          name={name}
          className={styles.select}
          value={value ?? ''}
          disabled={disabled}
          aria-invalid={error !== undefined}
          aria-describedby={notesOf(notes)}
          onChange={(event) => onChange(Number(event.target.value))}
        >
          <option value="" disabled hidden>
            {placeholder}
          </option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown size={20} className={styles.arrow} />
      </div>
      <FieldNotes {...notes} />
    </div>
  );
}
