import type { UnixMs } from '../core/time';
import type { Instrument, Quote } from './instrument';

/** The first rows of the list, as the server writes them into the page (architecture.md#page-start). */
export interface FirstRows {
  /** When the page was sent. */
  at: UnixMs;
  rows: FirstRow[];
}

export interface FirstRow {
  instrument: Pick<Instrument, 'id' | 'code' | 'name' | 'logo' | 'precision'>;
  quote: Pick<Quote, 'close' | 'open' | 'change' | 'time' | 'marketOpen'>;
}
