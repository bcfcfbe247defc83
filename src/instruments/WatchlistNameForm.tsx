import { MAX_WATCHLIST_NAME, type Watchlist, watchlistNameProblem } from '#domain/market/watchlist';
import { useT } from '../i18n/i18n';
import { watchlists } from '../preferences/watchlists';
import { NameForm } from '../ui/NameForm';
import styles from './Watchlists.module.css';

interface WatchlistNameFormProps {
  /** The list to rename; undefined for a new one. */
  list?: Watchlist | undefined;
  onSave(name: string): void;
  onCancel(): void;
}

/** The name of a new or a renamed list. */
export function WatchlistNameForm({ list, ...form }: WatchlistNameFormProps) {
  const t = useT();
  const others = watchlists.value.filter(({ id }) => id !== list?.id).map(({ name }) => name);
  return (
    <NameForm
      {...form}
      className={styles.form}
      label={t('market.lists.name')}
      max={MAX_WATCHLIST_NAME}
      name={list?.name ?? ''}
      save={t(list ? 'wallet.methods.save' : 'market.lists.create')}
      problemOf={(name) => watchlistNameProblem(name, [t('market.favourites'), ...others])}
    />
  );
}
