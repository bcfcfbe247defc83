import { useRef } from 'react';
import type { Category } from '#domain/market/instrument';
import { gateway } from '../../gateway/client';
import { listRevision } from '../../gateway/pump';
import { useAnswer } from '../../gateway/useAnswer';
import { language, useT } from '../../i18n/i18n';
import { category } from '../../session/preferences';
import { useValue } from '../../signals';
import { Chips } from '../../ui/Chips';
import styles from './CategoryChips.module.css';

/**
 * The filter (screens.md#home): open markets, categories by names in the user's language. Its height is reserved,
 * so that the list does not move when the names arrive.
 */
export function CategoryChips() {
  const t = useT();
  const shown = useValue(language);
  const chosen = useValue(category);
  const answer = useAnswer(listRevision, () => gateway.categories(), [shown]);
  const latest = useRef<readonly Category[]>([]);
  // A failure keeps the former chips; the next list asks again.
  if (answer?.ok) latest.current = answer.data;
  const categories = latest.current;

  const options = [
    { value: 'all' as const, label: t('market.all') },
    { value: 'open' as const, label: t('market.open') },
    ...categories.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const known = options.some(({ value }) => value === chosen);
  return (
    <div className={styles.chips}>
      <Chips
        label={t('market.categories')}
        options={options}
        value={known && chosen !== undefined ? chosen : 'all'}
        onChange={(id) => {
          category.value = id === 'all' ? undefined : id;
        }}
      />
    </div>
  );
}
