import { useT } from '../../i18n/i18n';
import { emptyText } from '../../instruments/emptyText';
import { type Filter, isListId, type ListId } from '../../preferences/watchlists';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/State';
import { workerApi } from '../../worker/workerApi';

interface NoMatchesProps {
  filter: Filter;
  onAdd(list: ListId): void;
  onFilter(filter: Filter): void;
}

/** In the place of a list that has no instrument. */
export function NoMatches({ filter, onAdd, onFilter }: NoMatchesProps) {
  const t = useT();
  const own = filter !== 'favourites' && isListId(filter);
  return (
    <EmptyState
      title={t('market.emptyTitle')}
      action={
        own ? (
          <Button variant="primary" onClick={() => onAdd(filter)}>
            {t('market.lists.add')}
          </Button>
        ) : filter !== undefined ? (
          <Button onClick={() => onFilter(undefined)}>{t('market.showAll')}</Button>
        ) : (
          <Button onClick={() => void workerApi.refreshList()}>{t('common.refresh')}</Button>
        )
      }
    >
      {t(emptyText(filter))}
    </EmptyState>
  );
}
