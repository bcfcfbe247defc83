import { useId } from 'react';
import styles from './ColourChoice.module.css';
import type { DrawnColour } from './colours';

interface ColourChoiceProps<Colour extends DrawnColour> {
  label: string;
  colours: readonly Colour[];
  nameOf(colour: Colour): string;
  value: Colour | undefined;
  onChange(colour: Colour): void;
}

/** One of some colours. */
export function ColourChoice<Colour extends DrawnColour>({
  label,
  colours,
  nameOf,
  value,
  onChange,
}: ColourChoiceProps<Colour>) {
  const group = useId();
  return (
    <fieldset className={styles.colours}>
      <legend className={styles.label}>{label}</legend>
      {colours.map((colour) => (
        <label key={colour} className={styles.colour} title={nameOf(colour)}>
          <input
            type="radio"
            name={group}
            className="hidden-input"
            aria-label={nameOf(colour)}
            checked={colour === value}
            onChange={() => onChange(colour)}
          />
          <Swatch colour={colour} />
        </label>
      ))}
    </fieldset>
  );
}

/** A dot in a colour. */
export function Swatch({ colour }: { colour: DrawnColour }) {
  return <span className={styles.swatch} data-colour={colour} />;
}
