import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import { type Drawing, MOST_DRAWINGS } from '../../../../../src/features/trading/drawings/drawing';
import {
  readDrawings,
  readSavedDrawings,
  writeDrawings,
} from '../../../../../src/features/trading/drawings/drawingsFile';
import { seed } from '../../../../helpers/samples';
import { aDrawing, PRECISION } from './arbitrary';

const CODE = 'EURUSD';
const line: Drawing = {
  id: 'a',
  kind: 'trend',
  anchors: [
    { time: toUnixSeconds(60), price: '1.10000' },
    { time: toUnixSeconds(120), price: '1.20000' },
  ],
  style: { colour: 'blue', width: 2, dash: 'solid' },
  locked: false,
  text: '',
};
const file = (drawings: unknown, rest: object = {}) =>
  JSON.stringify({ format: 'fulcrum-drawings', version: 1, instrument: CODE, drawings, ...rest });
const read = (text: string, precision = PRECISION) => readDrawings(text, CODE, precision);

test('what is written is read as it was', () => {
  const lists = fc.uniqueArray(aDrawing(fc.uuid()), { selector: ({ id }) => id, maxLength: 30 });
  fc.assert(
    fc.property(lists, (drawings) => {
      const text = writeDrawings(CODE, drawings);
      expect(read(text)).toEqual({ ok: true, drawings });
      expect(readSavedDrawings(text, PRECISION)).toEqual(drawings);
    }),
    { seed },
  );
});

test.each([
  ['no JSON', '{', 'notDrawings'],
  ['another JSON', '[1, 2]', 'notDrawings'],
  ['a file of something else', file([], { format: 'fulcrum-watchlists' }), 'notDrawings'],
  ['no list', file({}), 'notDrawings'],
  ['a later version', file([], { version: 2 }), 'newer'],
  ['another instrument', file([line], { instrument: 'BTCUSDT' }), 'otherInstrument'],
  [
    'too many',
    file(Array.from({ length: MOST_DRAWINGS + 1 }, (_, at) => ({ ...line, id: `${at}` }))),
    'tooMany',
  ],
])('%s is refused', (_name, text, kind) => {
  expect(read(text)).toMatchObject({ ok: false, problem: { kind } });
});

describe('one invalid drawing refuses the file, and is named', () => {
  const [first, second] = line.anchors;
  test.each<[string, object | null]>([
    ['no object', null],
    ['the id of another one', { id: 'a' }],
    ['an id with a space', { id: 'a b' }],
    ['an unknown kind', { kind: 'spiral' }],
    ['a point too few', { anchors: [first] }],
    ['a point too many', { anchors: [first, second, first] }],
    ['no points', { anchors: 'none' }],
    ['a price as a number', { anchors: [first, { time: 60, price: 1.1 }] }],
    ['a price of zero', { anchors: [first, { time: 60, price: '0.00000' }] }],
    ['a price below zero', { anchors: [first, { time: 60, price: '-1.00000' }] }],
    ['a price with more decimals', { anchors: [first, { time: 60, price: '1.000001' }] }],
    [
      'a price too long for a double',
      { anchors: [first, { time: 60, price: '12345678901.00000' }] },
    ],
    ['a time that is no second', { anchors: [first, { time: 60.5, price: '1.10000' }] }],
    ['a time before 1970', { anchors: [first, { time: -60, price: '1.10000' }] }],
    ['a time too late to be shown', { anchors: [first, { time: 1e13, price: '1.10000' }] }],
    ['an unknown colour', { style: { ...line.style, colour: 'url(x)' } }],
    ['an unknown width', { style: { ...line.style, width: 50 } }],
    ['an unknown dash', { style: { ...line.style, dash: 'waves' } }],
    ['no word about its lock', { locked: 'yes' }],
    ['a text on a line', { text: 'note' }],
    ['a text without words', { kind: 'text', anchors: [first], text: '' }],
    ['a text of two lines', { kind: 'text', anchors: [first], text: 'one\ntwo' }],
    ['a text too long', { kind: 'text', anchors: [first], text: 'x'.repeat(201) }],
  ])('%s', (_name, part) => {
    const bad = part && { ...line, id: 'b', ...part };
    expect(read(file([line, bad]))).toEqual({ ok: false, problem: { kind: 'drawing', index: 2 } });
    // The device's storage loses that one alone.
    expect(readSavedDrawings(file([line, bad]), PRECISION)[0]?.kind).toBe('trend');
  });
});

test('a price gets the decimals of the feed, also where these have changed since it was kept', () => {
  const short = { ...line, anchors: line.anchors.map((anchor) => ({ ...anchor, price: '1.5' })) };
  const prices = (drawings: readonly Drawing[]) =>
    drawings.flatMap(({ anchors }) => anchors.map(({ price }) => price));
  const answer = read(file([short]));
  expect(answer.ok && prices(answer.drawings)).toEqual(['1.50000', '1.50000']);
  expect(prices(readSavedDrawings(file([line]), 3))).toEqual(['1.100', '1.200']);
});

test('storage that holds something else holds no drawings', () => {
  for (const text of [null, '', '{', '[]', file([line], { version: 2 })]) {
    expect(readSavedDrawings(text, PRECISION)).toEqual([]);
  }
});
