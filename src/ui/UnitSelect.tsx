import { ChevronDown } from 'lucide-react';
import styles from './UnitSelect.module.css';

/** The unit of the number beside it. */
export function UnitSelect<Unit extends string>({
  label,
  value,
  units,
  nameOf,
  onChange,
}: {
  label: string;
  value: Unit;
  units: readonly Unit[];
  nameOf(unit: Unit): string;
  onChange(unit: Unit): void;
}) {
  return (
    <span className={styles.unit}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value as Unit)}
      >
        {units.map((unit) => (
          <option key={unit} value={unit}>
            {nameOf(unit)}
          </option>
        ))}
      </select>
      <ChevronDown size={16} />
    </span>
  );
}
