import { useState } from 'react';
import { classes } from './classes';
import styles from './InstrumentMark.module.css';
import { monogram } from './monogram';

/**
 * The logo, or a monogram where there is none or it can't be loaded. Decorative: the name is
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
