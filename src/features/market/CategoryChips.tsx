import { useEffect, useState } from 'react';
import type { Category } from '#domain/market/instrument';
import { gateway } from '../../gateway/client';
import { listRevision } from '../../gateway/pump';
import { language, useT } from '../../i18n/i18n';
import { category } from '../../session/preferences';
import { useValue } from '../../signals';
import { Chips } from '../../ui/Chips';
import styles from './CategoryChips.module.css';

/** Id of the chip that filters nothing; the server's begin at 1. */
const ALL = 0;

/** The filter of the list (§2), in the user's language. Room is kept for it: the list never jumps. */
export function CategoryChips() {
  const t = useT();
  const shown = useValue(language);
  const revision = useValue(listRevision);
  const chosen = useValue(category);
  const [categories, setCategories] = useState<Category[]>([]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another language has other names, and a list that came may heal a failure
  useEffect(() => {
    let current = true;
    void gateway.categories().then((result) => {
      if (current && result.ok) setCategories(result.data);
    });
    return () => {
      current = false;
    };
  }, [shown, revision]);

  const options = [
    { value: ALL, label: t('market.all') },
    ...categories.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const known = options.some(({ value }) => value === chosen);
  return (
    <div className={styles.chips}>
      <Chips
        label={t('market.categories')}
        options={options}
        value={known && chosen !== undefined ? chosen : ALL}
        onChange={(id) => {
          category.value = id === ALL ? undefined : id;
        }}
      />
    </div>
  );
}
