import fc from 'fast-check';
import { toUnixSeconds } from '#domain/core/time';
import {
  ANCHORS,
  type Anchor,
  COLOURS,
  DASHES,
  type Drawing,
  KINDS,
  type Style,
  WIDTHS,
} from '../../../../../src/features/trading/drawings/drawing';

export const PRECISION = 5;

const aPrice = fc
  .integer({ min: 1, max: 999_999_999 })
  .map((steps) => (steps / 10 ** PRECISION).toFixed(PRECISION));
const anAnchor = fc.record({
  time: fc.integer({ min: 0, max: 30_000_000 }).map((minute) => toUnixSeconds(minute * 60)),
  price: aPrice,
});
export const aStyle: fc.Arbitrary<Style> = fc.record({
  colour: fc.constantFrom(...COLOURS),
  width: fc.constantFrom(...WIDTHS),
  dash: fc.constantFrom(...DASHES),
});
export const aText = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .map((text) => text.replace(/\p{Cc}/gu, '').trim() || 'text');
export const anchorsOf = (kind: Drawing['kind']): fc.Arbitrary<Anchor[]> =>
  fc.array(anAnchor, { minLength: ANCHORS[kind], maxLength: ANCHORS[kind] });

export function aDrawing(id: fc.Arbitrary<string>): fc.Arbitrary<Drawing> {
  return fc.constantFrom(...KINDS).chain((kind) =>
    fc.record({
      id,
      kind: fc.constant(kind),
      anchors: anchorsOf(kind),
      style: aStyle,
      locked: fc.boolean(),
      text: kind === 'text' ? aText : fc.constant(''),
    }),
  );
}
