import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { INDICATOR_KINDS, INDICATORS } from '#domain/indicators/catalogue';
import { INDICATOR_STYLES } from '../../../src/instruments/indicatorStyle';

const KEY = 'fulcrum.indicators';
const SETTINGS = '../../../src/instruments/indicatorSettings';
type Settings = typeof import('../../../src/instruments/indicatorSettings');

/** The settings of a page that opens now. */
async function opened(): Promise<Settings> {
  vi.resetModules();
  return import(SETTINGS);
}

const sma = { id: 1, kind: 'sma', parameters: [20], colours: ['blue'], hidden: false };

beforeEach(() => localStorage.clear());
afterEach(() => {
  localStorage.clear();
  vi.resetModules();
});

describe('the chosen indicators', () => {
  it('are kept, with parameters, colours and visibility', async () => {
    const settings = await opened();
    const id = settings.addIndicator('macd');
    const other = settings.addIndicator('vwap');
    settings.changeIndicator(id, {
      parameters: [5, 35, 5],
      colours: ['pink', 'gold', 'grey'],
      hidden: true,
    });
    const { chosen } = await opened();
    expect(chosen.value).toEqual([
      {
        id,
        kind: 'macd',
        parameters: [5, 35, 5],
        colours: ['pink', 'gold', 'grey'],
        hidden: true,
      },
      { id: other, kind: 'vwap', parameters: [], colours: ['purple'], hidden: false },
    ]);
  });

  it.each([
    ['an unknown one', { ...sma, kind: 'magic' }],
    ['one without a length', { ...sma, parameters: [] }],
    ['a length out of range', { ...sma, parameters: [0] }],
    ['a length that is no number', { ...sma, parameters: ['20'] }],
    ['no id', { ...sma, id: null }],
    ['nothing', null],
  ])('leave out %s', async (_, stored) => {
    localStorage.setItem(KEY, JSON.stringify([stored, { ...sma, id: 2 }]));
    const { chosen } = await opened();
    expect(chosen.value).toEqual([{ ...sma, id: 2 }]);
  });

  it('have the usual colours where the stored ones are unknown', async () => {
    localStorage.setItem(KEY, JSON.stringify([{ ...sma, colours: ['invisible'], hidden: 'no' }]));
    const { chosen } = await opened();
    expect(chosen.value).toEqual([sma]);
  });

  it('can be no more than twelve', async () => {
    const { addIndicator, isFull, removeIndicator, chosen } = await opened();
    for (let count = 0; count < 12; count++) addIndicator('ema');
    expect(isFull.value).toBe(true);
    removeIndicator(chosen.value[0]?.id ?? 0);
    expect(isFull.value).toBe(false);
    expect(new Set(chosen.value.map(({ id }) => id)).size).toBe(11);
  });
});

describe('the panes', () => {
  it('are at most three on a phone, two on one held sideways', async () => {
    const { addIndicator, changeIndicator, chosen, mostPanes, shownIndicators } = await opened();
    const first = addIndicator('rsi');
    for (const kind of ['sma', 'macd', 'atr'] as const) addIndicator(kind);
    const kinds = (wide: boolean, low: boolean) =>
      shownIndicators(chosen.value, mostPanes(wide, low)).map(({ kind }) => kind);
    expect(kinds(true, false)).toEqual(['rsi', 'sma', 'macd', 'atr']);
    expect(kinds(false, false)).toEqual(['rsi', 'sma', 'macd']);
    expect(kinds(false, true)).toEqual(['rsi', 'sma']);
    changeIndicator(first, { hidden: true });
    expect(kinds(false, false)).toEqual(['sma', 'macd', 'atr']);
  });
});

describe('the heights of panes', () => {
  it('are kept as they were dragged, and given back', async () => {
    const { addIndicator, chosen, saveHeights, resetHeights } = await opened();
    const rsi = addIndicator('rsi');
    const macd = addIndicator('macd');
    const before = chosen.value;
    saveHeights(
      new Map([
        [rsi, 1],
        [macd, 1],
      ]),
    );
    // Nothing was dragged.
    expect(chosen.value).toBe(before);
    saveHeights(
      new Map([
        [rsi, 2.25],
        [macd, 1],
      ]),
    );
    const kept = await opened();
    expect(kept.chosen.value.map(({ height }) => height)).toEqual([2.25, undefined]);
    resetHeights();
    expect((await opened()).chosen.value).toEqual(before);
  });

  it.each([0, -1, 1000, '2', null])('are the usual ones where %s is stored', async (height) => {
    localStorage.setItem(KEY, JSON.stringify([{ ...sma, height }]));
    const { chosen } = await opened();
    expect(chosen.value).toEqual([sma]);
  });

  it.each([0, 1000, Number.NaN])('are not kept where they would be %s', async (height) => {
    localStorage.setItem(KEY, JSON.stringify([sma]));
    const { chosen, saveHeights } = await opened();
    saveHeights(new Map([[sma.id, height]]));
    expect(chosen.value).toEqual([sma]);
  });
});

it.each(INDICATOR_KINDS)('%s has a shape and a colour for each line', (kind) => {
  const { shapes, colours } = INDICATOR_STYLES[kind];
  expect(shapes).toHaveLength(INDICATORS[kind].lines.length);
  expect(colours).toHaveLength(INDICATORS[kind].lines.length);
});
