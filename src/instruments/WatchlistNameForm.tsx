import { type FormEvent, useState } from 'react';
import { MAX_WATCHLIST_NAME, type Watchlist, watchlistNameProblem } from '#domain/market/watchlist';
import { useT } from '../i18n/i18n';
import { watchlists } from '../preferences/watchlists';
import { Button } from '../ui/Button';
import { ButtonPair } from '../ui/ButtonPair';
import { TextField } from '../ui/TextField';
import { useProblems } from '../ui/useProblems';
import styles from './Watchlists.module.css';

interface WatchlistNameFormProps {
  /** The list to rename; undefined for a new one. */
  list?: Watchlist | undefined;
  onSave(name: string): void;
  onCancel(): void;
}

/** The name of a new or a renamed list. */
export function WatchlistNameForm({ list, onSave, onCancel }: WatchlistNameFormProps) {
  const t = useT();
  const check = useProblems<'name'>();
  const [name, setName] = useState(list?.name ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const others = watchlists.value.filter(({ id }) => id !== list?.id);
    const message = watchlistNameProblem(name, [
      t('market.favourites'),
      ...others.map((other) => other.name),
    ]);
    if (check.passes(message && { field: 'name', message })) onSave(name);
  };
  return (
    <form ref={check.form} className={styles.form} noValidate onSubmit={submit}>
      <TextField
        name="name"
        label={t('market.lists.name')}
        hint={t('rules.textTooLong', { max: MAX_WATCHLIST_NAME })}
        value={name}
        error={check.errorOf('name')}
        dir="auto"
        autoComplete="off"
        enterKeyHint="done"
        autoFocus
        onChange={(next) => {
          check.touched('name');
          setName(next);
        }}
      />
      <ButtonPair>
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
        <Button type="submit" variant="primary">
          {t(list ? 'wallet.methods.save' : 'market.lists.create')}
        </Button>
      </ButtonPair>
    </form>
  );
}
