import { signal } from '@preact/signals-core';
import { readFields } from '#domain/core/read';
import { aBoolean, aText, stored } from '../../../preferences/stored';

/** Whether charts have the panel. */
export const quickPanel = stored('quick-panel', false, aBoolean);

/** The largest order of one tap, USD, as a plain decimal. */
export const quickLargest = stored('quick-largest', '10000', aText);

/** By the id of an instrument: the lots of a tap, as a plain decimal. */
export type QuickLots = Readonly<Record<string, string>>;
export const quickLots = stored<QuickLots>('quick-lots', {}, (value) => {
  const fields = readFields(value);
  if (!fields) return undefined;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, lots]) => {
      const text = aText(lots);
      return text === undefined ? [] : [[key, text]];
    }),
  );
});

/** The instrument whose panel the user has turned on. It is never saved: who opens the app again turns it on again. */
export const armedInstrument = signal<number | undefined>(undefined);
