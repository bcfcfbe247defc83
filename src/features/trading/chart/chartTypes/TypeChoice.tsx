import { useId } from 'react';
import { useT } from '../../../../i18n/i18n';
import { useValue } from '../../../../useValue';
import { CHART_TYPES, chartType } from '../chartSettings';
import styles from './TypeChoice.module.css';
import { TypePicture } from './TypePicture';

/** The choice of the chart's type, each with a picture. */
export function TypeChoice() {
  const t = useT();
  const name = useId();
  const present = useValue(chartType);
  return (
    <fieldset className={styles.types}>
      <legend className={styles.legend}>{t('trade.tools.type')}</legend>
      {CHART_TYPES.map((type) => (
        <label key={type} className={styles.type}>
          <input
            className="hidden-input"
            type="radio"
            name={name}
            checked={type === present}
            onChange={() => {
              chartType.value = type;
            }}
          />
          <TypePicture type={type} />
          {t(`trade.tools.types.${type}`)}
        </label>
      ))}
    </fieldset>
  );
}
