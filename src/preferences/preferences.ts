import type { ListSort } from '#domain/market/list';
import { aBoolean, aNumber, aText, listOf, oneOf, stored } from './stored';
import { ERROR_REPORTS } from './storedNames';

/** The user's saved preferences. */

export type Theme = 'system' | 'light' | 'dark';
export const theme = stored<Theme>('theme', 'system', oneOf('system', 'light', 'dark'));

/** Which colour means up; `language` follows the convention of the language's markets. */
export type UpColourChoice = 'language' | 'green-up' | 'red-up';
export const upColourChoice = stored<UpColourChoice>(
  'trend',
  'language',
  oneOf('language', 'green-up', 'red-up'),
);

/** Instrument ids that are pinned to the top of the list, in the user's order. */
export const favourites = stored<readonly number[]>('favourites', [], listOf(aNumber));

export function toggleFavourite(id: number): void {
  const others = favourites.value.filter((other) => other !== id);
  favourites.value = others.length < favourites.value.length ? others : [...others, id];
}

export const sort = stored<ListSort>('sort', 'default', oneOf('default', 'name', 'change'));
export const descending = stored('descending', false, (value) => value === true);

/** Reduces traffic; `auto` decides by device and connection. */
export type DataSaver = 'auto' | 'on' | 'off';
export const dataSaver = stored<DataSaver>('data-saver', 'auto', oneOf('auto', 'on', 'off'));

/** Whether performance figures are shown over every screen. */
export const overlayShown = stored('overlay', false, (value) => value === true);

/** The user dismissed the sandbox notice; the DEMO mark stays. */
export const sandboxNoticeRead = stored('sandbox-notice-read', false, (value) => value === true);

/** Whether errors of the app are reported to the server; src/errorReport.ts reads it. */
export const errorReports = stored(ERROR_REPORTS, true, aBoolean);

/** How long an order may be executed after it was confirmed, seconds (D85). */
export const ORDER_SECONDS = [5, 10, 20, 30] as const;
export const orderSeconds = stored<number>('order-seconds', 5, (value) =>
  ORDER_SECONDS.find((seconds) => seconds === value),
);

const RECENT = 6;
export const recentSearches = stored<string[]>('recent-searches', [], listOf(aText));

export function rememberSearch(text: string): void {
  const same = text.toLowerCase();
  recentSearches.value = [
    text,
    ...recentSearches.value.filter((other) => other.toLowerCase() !== same),
  ].slice(0, RECENT);
}
