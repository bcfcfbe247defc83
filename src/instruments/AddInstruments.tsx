import { useDeferredValue, useState } from 'react';
import { useT } from '../i18n/i18n';
import type { ListId } from '../preferences/watchlists';
import { Checkbox } from '../ui/Checkbox';
import { SearchField } from '../ui/SearchField';
import { listRevision } from '../worker/frameReceiver';
import { useAnswer } from '../worker/useAnswer';
import { workerApi } from '../worker/workerApi';
import styles from './Watchlists.module.css';
import { toggleListed } from './watchlistEdits';

/** As many instruments as are offered at once; a search finds the others. */
const OFFERED = 50;

/** All instruments with boxes: those of a list are checked. */
export function AddInstruments({ id, listed }: { id: ListId; listed: readonly number[] }) {
  const t = useT();
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const answer = useAnswer(
    listRevision,
    () =>
      workerApi.rows({ search, sort: 'default', descending: false, favourites: [] }, 0, OFFERED),
    [search],
  );
  return (
    <>
      <SearchField
        label={t('market.search')}
        placeholder={t('market.searchHint')}
        text={text}
        onChange={setText}
      />
      <ul className={styles.rows} aria-label={t('market.results')}>
        {answer?.rows.map(({ instrument: { id: instrument, name, code } }) => (
          <li key={instrument} className={styles.offer}>
            <Checkbox
              checked={listed.includes(instrument)}
              onChange={() => toggleListed(id, instrument)}
            >
              <span className={styles.name} translate="no">
                {name}
              </span>{' '}
              <span className="caption">{code}</span>
            </Checkbox>
          </li>
        ))}
      </ul>
      <p role="status" className={styles.hint}>
        {answer?.total === 0 && !answer.loading && t('common.nothingFound', { search })}
        {answer && answer.total > OFFERED && t('market.lists.more')}
      </p>
    </>
  );
}
