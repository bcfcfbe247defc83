import { uuidOf } from '#domain/core/uuid';
import { type Watchlist, watchlistName } from '#domain/market/watchlist';
import { favourites } from '../preferences/preferences';
import { instrumentsOf, type ListId, watchlists } from '../preferences/watchlists';

/** Changes of watchlists. Names are checked by the form. */

export function createWatchlist(
  name: string,
  instruments: readonly number[] = [],
): Watchlist['id'] {
  const id = `list-${uuidOf(crypto.getRandomValues(new Uint8Array(16)))}` as const;
  watchlists.value = [...watchlists.value, { id, name: watchlistName(name), instruments }];
  return id;
}

export function renameWatchlist(id: ListId, name: string): void {
  change(id, { name: watchlistName(name) });
}

export function deleteWatchlist(id: ListId): void {
  watchlists.value = watchlists.value.filter((list) => list.id !== id);
}

export function setInstruments(id: ListId, instruments: readonly number[]): void {
  if (id === 'favourites') favourites.value = instruments;
  else change(id, { instruments });
}

/** Adds an instrument at the end of a list, or removes it. */
export function toggleListed(id: ListId, instrument: number): void {
  const former = instrumentsOf(id);
  const others = former.filter((other) => other !== instrument);
  setInstruments(id, others.length < former.length ? others : [...former, instrument]);
}

function change(id: ListId, changed: Partial<Watchlist>): void {
  watchlists.value = watchlists.value.map((list) =>
    list.id === id ? { ...list, ...changed } : list,
  );
}
