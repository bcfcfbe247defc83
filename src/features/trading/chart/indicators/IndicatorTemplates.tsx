import { LayoutTemplate, Trash2 } from 'lucide-react';
import { useT } from '../../../../i18n/i18n';
import { chosen } from '../../../../instruments/indicatorSettings';
import { Button, IconButton } from '../../../../ui/Button';
import { useValue } from '../../../../useValue';
import styles from './Indicators.module.css';
import {
  applyTemplate,
  deleteTemplate,
  isSaved,
  saveTemplate,
  templateName,
  templates,
} from './templates';

/** Indicators that were saved together, and saves the present ones (screens.md#indicators). */
export function IndicatorTemplates() {
  const t = useT();
  const saved = useValue(templates);
  const indicators = useValue(chosen);
  const present = templateName(indicators);
  const isNew = indicators.length > 0 && !isSaved(indicators, saved);
  if (!isNew && saved.length === 0) return null;
  return (
    <section aria-label={t('trade.indicators.templates')}>
      <h3 className={styles.place}>{t('trade.indicators.templates')}</h3>
      <ul>
        {saved.map((template) => {
          const name = templateName(template);
          return (
            <li key={name} className={styles.item}>
              <button
                type="button"
                className={styles.kind}
                data-chosen={name === present || undefined}
                onClick={() => applyTemplate(template)}
              >
                <LayoutTemplate size={16} />
                <bdi>{name}</bdi>
              </button>
              <IconButton
                label={t('trade.indicators.deleteTemplate', { name })}
                className={styles.star}
                onClick={() => deleteTemplate(template)}
              >
                <Trash2 size={16} />
              </IconButton>
            </li>
          );
        })}
      </ul>
      {isNew && <Button onClick={saveTemplate}>{t('trade.indicators.saveTemplate')}</Button>}
    </section>
  );
}
