import { type ComponentProps, useState } from 'react';
import { TextField } from './TextField';

/** Before it no year is complete: 2025 is typed as 0002, 0020, 0202, 2025. */
const FIRST_DAY = '1970-01-01';
/** Keeps browsers from years of six digits. */
const LAST_DAY = '9999-12-31';

interface DateFieldProps extends Pick<ComponentProps<typeof TextField>, 'label' | 'name'> {
  /** A day as `2026-11-01`. */
  value: string;
  min?: string;
  max?: string;
  /** A day within the limits, or the one with which the field is left. */
  onChange(value: string): void;
}

/**
 * A date. The browser's field tells of each part that is typed, and forgets the others when its value is set meanwhile: what
 * is typed stays until the field is left.
 */
export function DateField({
  value,
  min = FIRST_DAY,
  max = LAST_DAY,
  onChange,
  ...field
}: DateFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      {...field}
      type="date"
      min={min}
      max={max}
      required
      value={typed ?? value}
      onChange={(day) => {
        setTyped(day);
        if (day >= min && day <= max) onChange(day);
      }}
      onBlur={() => {
        setTyped(undefined);
        if (typed && typed >= FIRST_DAY && typed !== value) onChange(typed);
      }}
    />
  );
}
