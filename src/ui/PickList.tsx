import { Check } from 'lucide-react';
import styles from './PickList.module.css';

interface PickListProps<T extends string> {
  label: string;
  options: readonly { value: T; label: string; lang?: string }[];
  value: T | undefined;
  /** Called once; the screen or sheet closes with it. */
  onPick(value: T): void;
}

/**
 * A choice made with one tap. Buttons, because arrow keys would choose a radio button that the user
 * only passes.
 */
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
            {option.value === value && <Check size={20} className={styles.mark} />}
          </button>
        </li>
      ))}
    </ul>
  );
}
