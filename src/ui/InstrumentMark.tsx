import { useState } from 'react';
import { classes } from './classes';
import styles from './InstrumentMark.module.css';

/**
 * Two letters for an instrument without a logo: one of each currency of a pair, otherwise two of
 * the name.
 */
export function monogram(name: string): string {
  const [base = '', quote] = name.split(/[/\-_]/);
  const letters = quote ? [base[0], quote[0]] : [...base].slice(0, 2);
  return letters.join('').toUpperCase();
}

/**
 * The logo, or a monogram where there is none or it can't be loaded. Decorative: the name stands
 * beside it.
 */
export function InstrumentMark({
  name,
  logo,
  dense,
}: {
  name: string;
  logo: string;
  dense?: boolean;
}) {
  const [broken, setBroken] = useState('');
  const shown = logo !== '' && broken !== logo;
  return (
    <span
      className={classes(styles.mark, dense && styles.dense)}
      data-letters={shown ? undefined : monogram(name)}
      aria-hidden="true"
    >
      {shown && (
        <img src={logo} alt="" loading="lazy" decoding="async" onError={() => setBroken(logo)} />
      )}
    </span>
  );
}
