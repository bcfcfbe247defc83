import type { StringKey } from '../i18n/i18n';
import type { Filter } from '../session/preferences';

/** What to say where no instrument passes the filter. */
export function emptyText(filter: Filter): StringKey {
  switch (filter) {
    case undefined:
      return 'market.emptyMarket';
    case 'favourites':
      return 'market.emptyFavourites';
    case 'open':
      return 'market.emptyOpen';
    default:
      return 'market.emptyCategory';
  }
}
