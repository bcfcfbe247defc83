import { signal } from '@preact/signals-core';
import {
  aBoolean,
  aText,
  type ByInstrument,
  byInstrument,
  stored,
} from '../../../preferences/stored';

/** Whether charts have the panel. */
export const quickPanel = stored('quick-panel', false, aBoolean);

/** The largest order of one tap, USD, as a plain decimal. */
export const quickLargest = stored('quick-largest', '10000', aText);

/** The lots of a tap, as a plain decimal. */
export const quickLots = stored<ByInstrument<string>>('quick-lots', {}, byInstrument(aText));

/** The instrument for which the user has turned the panel on. It is never saved: who opens the app again turns it on again. */
export const quickTurnedOn = signal<number | undefined>(undefined);
