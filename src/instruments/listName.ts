import { t } from '../i18n/i18n';
import { type ListId, watchlist } from '../preferences/watchlists';

/** The name of a watchlist; that of the favourites is of the shown language. */
export function listName(id: ListId): string {
  return watchlist(id)?.name ?? t('market.favourites');
}
