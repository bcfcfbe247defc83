import { Check } from 'lucide-react';
import styles from './PickList.module.css';

interface PickListProps<T extends string> {
  label: string;
  options: readonly { value: T; label: string; lang?: string }[];
  value: T | undefined;
  /** Ends the choosing: a screen or sheet that closes with it. */
  onPick(value: T): void;
}

/** One of several, picked with one tap. Buttons: the arrow keys would choose a radio button that one only passes. */
export function PickList<T extends string>({ label, options, value, onPick }: PickListProps<T>) {
  return (
    <ul aria-label={label}>
      {options.map((option) => (
        <li key={option.value}>
          <button
            type="button"
            className={styles.pick}
            lang={option.lang}
            aria-current={option.value === value || undefined}
            onClick={() => onPick(option.value)}
          >
            <span className={styles.label}>{option.label}</span>
            {option.value === value && (
              <Check size={20} className={styles.mark} aria-hidden="true" />
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}
