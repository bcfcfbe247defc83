import { useEffect, useId, useRef } from 'react';
import styles from './Chip.module.css';

/** Between the chosen chip and the edge of the row, px. */
const EDGE = 16;

interface ChipsProps<T extends string | number> {
  /** The accessible name of the group. */
  label: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange(value: T): void;
}

/**
 * A choice between a few options in a row that scrolls. Native radio buttons provide arrow keys and
 * names.
 */
export function Chips<T extends string | number>({
  label,
  options,
  value,
  onChange,
}: ChipsProps<T>) {
  const name = useId();
  const chips = useRef<HTMLFieldSetElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: options before the chosen one move it
  useEffect(() => {
    const row = chips.current;
    const chosen = row?.querySelector(':checked')?.parentElement?.getBoundingClientRect();
    if (!row || !chosen) return;
    // Not scrollIntoView, which would also scroll the sheet that the row is in.
    const { left, right } = row.getBoundingClientRect();
    row.scrollLeft +=
      Math.min(0, chosen.left - left - EDGE) + Math.max(0, chosen.right - right + EDGE);
  }, [value, options.length]);
  return (
    <fieldset ref={chips} className={styles.chips} aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={styles.chip}>
          <input
            className="hidden-input"
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className={styles.pill} dir="auto">
            {option.label}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
