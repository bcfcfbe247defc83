import { signal } from '@preact/signals-core';
import { DEFAULT_LANGUAGE, type Language } from '#domain/core/language';

/*
 * What a row of the market list needs of the shown language, apart from `i18n`, because rows are
 * painted before the strings are loaded.
 */

/** The language that is shown. */
export const language = signal<Language>(DEFAULT_LANGUAGE);

export interface RowTexts {
  /** Below the change where the market is closed. */
  closed: string;
  /** Label of the star beside an instrument. */
  favourite(name: string): string;
  /** An age in ms. The first one takes the browser longer to write than all prices do, so none is shown before the strings are loaded. */
  age(ms: number): string;
}

export const rowTexts = signal<RowTexts>({
  closed: '',
  favourite: (name) => `★ ${name}`,
  age: () => '',
});
