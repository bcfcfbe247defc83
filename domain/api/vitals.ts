/** How fast one visit was (protocol.md#vitals). */
import { call } from './call';
import { nothing } from './fields';
import { optional, wholeFrom } from './params';
import type { Read } from './schema';
import { VITALS_PATH } from './vitalsPath';

/** Ten minutes: more is no measurement. */
const milliseconds = optional(wholeFrom(0, 600_000), undefined);
const thousandths = optional(wholeFrom(0, 600_000), undefined);

/** What the browser does not tell is left out. */
export const vitals = call({
  method: 'POST',
  body: 'form',
  path: VITALS_PATH,
  access: 'public',
  effect: 'changes',
  usedBy: 'page',
  params: {
    /** Until the first byte of the page, ms. */
    ttfb: milliseconds,
    /** Until the first content is painted, ms. */
    fcp: milliseconds,
    /** Until the largest content is painted, ms. */
    lcp: milliseconds,
    /** From an input to the next paint, ms: of the slowest ones. */
    inp: milliseconds,
    /** How much the layout has shifted by itself, in thousandths. */
    cls: thousandths,
    /** How old a quote was when it was drawn, ms: of one of all, at random. */
    quote_age: milliseconds,
    /** Frames that took more than 50 ms, a minute; at most all of them. */
    long_frames: optional(wholeFrom(0, 1_200), undefined),
  },
  answer: nothing,
});

export type Vitals = Read<typeof vitals.params>;
