import { endpoint } from './endpoint';

/** How fast one visit was (protocol.md#vitals). What the browser does not tell is left out. */
export interface VitalsParams {
  /** Until the first byte of the page, ms. */
  ttfb?: number;
  /** Until the first content is painted, ms. */
  fcp?: number;
  /** Until the largest content is painted, ms. */
  lcp?: number;
  /** From an input to the next paint, ms: of the slowest ones. */
  inp?: number;
  /** How much the layout has shifted by itself, in thousandths. */
  cls?: number;
  /** How old a quote was when it was drawn, ms: of one of all, at random. */
  quote_age?: number;
  /** Frames that took more than 50 ms, a minute. */
  long_frames?: number;
}

export const vitals = endpoint<VitalsParams, null>()({
  method: 'POST',
  body: 'form',
  path: '/api/common/vitals',
  access: 'public',
  effect: 'changes',
  usedBy: 'page',
});
