import { useId, useState } from 'react';
import { MAX_WATCHLISTS } from '#domain/market/watchlist';
import { useT } from '../i18n/i18n';
import { favourites, toggleFavourite } from '../preferences/preferences';
import { watchlists } from '../preferences/watchlists';
import { Button } from '../ui/Button';
import { Checkbox } from '../ui/Checkbox';
import { useValue } from '../useValue';
import { WatchlistNameForm } from './WatchlistNameForm';
import styles from './Watchlists.module.css';
import { createWatchlist, toggleListed } from './watchlistEdits';

/** The watchlists that an instrument is in, and a new one for it (screens.md#watchlists). */
export default function WatchlistBoxes({ instrument }: { instrument: number }) {
  const t = useT();
  const heading = useId();
  const starred = useValue(favourites).includes(instrument);
  const lists = useValue(watchlists);
  const [creating, setCreating] = useState(false);
  return (
    <section className={styles.boxes} aria-labelledby={heading}>
      <h3 id={heading}>{t('market.lists.title')}</h3>
      <Checkbox checked={starred} onChange={() => toggleFavourite(instrument)}>
        {t('market.favourites')}
      </Checkbox>
      {lists.map(({ id, name, instruments }) => (
        <Checkbox
          key={id}
          checked={instruments.includes(instrument)}
          onChange={() => toggleListed(id, instrument)}
        >
          <bdi>{name}</bdi>
        </Checkbox>
      ))}
      {creating ? (
        <WatchlistNameForm
          onSave={(name) => {
            createWatchlist(name, [instrument]);
            setCreating(false);
          }}
          onCancel={() => setCreating(false)}
        />
      ) : (
        lists.length < MAX_WATCHLISTS && (
          <Button wide onClick={() => setCreating(true)}>
            {t('market.lists.new')}
          </Button>
        )
      )}
    </section>
  );
}
