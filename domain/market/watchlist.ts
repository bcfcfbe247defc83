/** The user's own lists of instruments (domain.md#watchlist-name). */

import type { Message } from '../core/rule';
import { isSingleLine } from '../core/text';

/** A named list of instruments. */
export interface Watchlist {
  id: `list-${string}`;
  name: string;
  /** Ids of instruments, each once, in the user's order. */
  instruments: readonly number[];
}

/** Most lists that a user can have beside the favourites. */
export const MAX_WATCHLISTS = 20;
/** Most characters of a name. */
export const MAX_WATCHLIST_NAME = 24;

/** A name as it is kept: without the space around it, each letter in its one form. */
export function watchlistName(text: string): string {
  return text.trim().normalize('NFC');
}

/** Whether a stored text is a name: one line of 1 to 24 characters, one of them visible (domain.md#watchlist-name). */
export function isWatchlistName(name: string): boolean {
  return name === watchlistName(name) && watchlistNameProblem(name, []) === undefined;
}

/**
 * The first rule that a new name breaks (domain.md#watchlist-name). `others` are the names of all other
 * lists, that of the favourites included; letter case makes no other name.
 */
export function watchlistNameProblem(text: string, others: readonly string[]): Message | undefined {
  const name = watchlistName(text);
  if (!isSingleLine(name)) return { key: 'textForging' };
  if (!VISIBLE.test(name)) return { key: 'listNameRequired' };
  if ([...name].length > MAX_WATCHLIST_NAME) {
    return { key: 'textTooLong', params: { max: MAX_WATCHLIST_NAME } };
  }
  const folded = fold(name);
  return others.some((other) => fold(other) === folded) ? { key: 'listNameTaken' } : undefined;
}

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

function fold(name: string): string {
  return name.trim().toLowerCase().normalize('NFC');
}
