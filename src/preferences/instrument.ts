import { aText, storedByTab } from './stored';
import { INSTRUMENT } from './storedNames';

/** Code of this tab's instrument (screens.md#trade); undefined until one is chosen. */
export const instrument = storedByTab<string | undefined>(INSTRUMENT, undefined, aText);

/** The path of the trade screen of an instrument; without a code, of the current one. */
export function tradePath(code: string | undefined): string {
  return code === undefined ? '/trade' : `/trade?${new URLSearchParams({ code })}`;
}
