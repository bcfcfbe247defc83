import type { StringKey } from '../i18n/i18n';
import { type Filter, isListId } from '../preferences/watchlists';

/** What to say where no instrument passes the filter. */
export function emptyText(filter: Filter): StringKey {
  if (filter !== 'favourites' && isListId(filter)) return 'market.emptyList';
  switch (filter) {
    case undefined:
      return 'market.emptyMarket';
    case 'favourites':
      return 'market.emptyFavourites';
    case 'open':
    case 'movers':
    case 'volatility':
      return 'market.emptyOpen';
    default:
      return 'market.emptyCategory';
  }
}
