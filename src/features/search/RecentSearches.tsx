import { useT } from '../../i18n/i18n';
import { recentSearches } from '../../preferences/preferences';
import { Button } from '../../ui/Button';
import styles from './SearchScreen.module.css';

/** Recent searches that led to a result. */
export function RecentSearches({
  recent,
  onPick,
}: {
  recent: readonly string[];
  onPick(text: string): void;
}) {
  const t = useT();
  return (
    <section className={styles.recent} aria-label={t('market.recent')}>
      <div className={styles.recentHead}>
        <h2>{t('market.recent')}</h2>
        <Button
          variant="quiet"
          onClick={() => {
            recentSearches.value = [];
          }}
        >
          {t('market.clearRecent')}
        </Button>
      </div>
      <ul className={styles.recentList}>
        {recent.map((text) => (
          <li key={text}>
            <Button onClick={() => onPick(text)}>{text}</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
