import { afterEach, describe, expect, it } from 'vitest';
import type { SettingsFields } from '#domain/account/settingsFields';
import { STORED_DOCUMENTS } from '../../../../src/app/settingsSync/storedDocuments';
import { favourites, theme } from '../../../../src/preferences/preferences';
import { SAVED } from '../../../../src/preferences/storedNames';
import { watchlists } from '../../../../src/preferences/watchlists';

afterEach(() => {
  for (const key of Object.keys(localStorage)) {
    localStorage.removeItem(key);
    dispatchEvent(new StorageEvent('storage', { key, newValue: null, storageArea: localStorage }));
  }
});

const set = (name: string, value: unknown) =>
  localStorage.setItem(`fulcrum.${name}`, JSON.stringify(value));
const kept = (name: string) => JSON.parse(localStorage.getItem(`fulcrum.${name}`) ?? 'null');

async function change(
  name: string,
  make: (fields: SettingsFields) => SettingsFields | undefined,
  former: SettingsFields = {},
) {
  return STORED_DOCUMENTS.find((one) => one.name === name)?.update(former, make);
}
const read = async (name: string, former: SettingsFields = {}) =>
  (await change(name, () => undefined, former))?.before ?? {};

const indicator = { id: 3, kind: 'sma', parameters: [20], colours: ['blue'], hidden: false };
const drawing = {
  ...{
    id: 'a',
    kind: 'horizontal',
    anchors: [{ time: 1, price: '1.10' }],
    locked: false,
    text: '',
  },
  style: { colour: 'blue', width: 2, dash: 'solid' },
};
const file = (drawings: object[], version = 1) => ({
  ...{ format: 'fulcrum-drawings', version, instrument: 'EUR/USD', drawings },
});

/** What a device may have, by document. */
const FULL: Record<string, Record<string, unknown>> = {
  watchlists: {
    favourites: [7, 3, 5],
    watchlists: [
      { id: 'list-a', name: 'Tech', instruments: [4, 2] },
      { id: 'list-b', name: 'Gold', instruments: [] },
    ],
  },
  columns: {
    sort: 'change',
    descending: true,
    'heat-map': false,
    grid: {
      columns: [
        { id: 'name', width: 7.75 },
        { id: 'rsi', width: 6.5, period: '60min' },
      ],
      ...{ sort: 'name', descending: false, grouped: true },
    },
  },
  chart: {
    ...{ period: '60min', 'chart-type': 'line', 'chart-axis': 'linear', 'chart-breaks': true },
    ...{ 'draw-magnet': false, 'chart-compare': { 1: 2 } },
  },
  indicators: {
    indicators: [indicator, { ...indicator, id: 1, height: 2 }],
    'indicator-favourites': ['rsi', 'sma'],
  },
  'indicator-templates': {
    'indicator-templates': [[indicator], [{ ...indicator, parameters: [9] }]],
  },
  drawings: { 'drawings.EUR/USD': file([drawing, { ...drawing, id: 'b' }]) },
  keys: { keys: { 'order.buy': 'b', 'order.sell': '' } },
  appearance: { theme: 'dark', trend: 'red-up' },
};

describe.each(Object.entries(FULL))('%s', (name, values) => {
  it('is the same on another device', async () => {
    for (const [key, value] of Object.entries(values)) set(key, value);
    const fields = await read(name);
    expect(Object.keys(fields).length).toBeGreaterThan(0);
    localStorage.clear();
    const found = await change(name, () => fields);
    expect(found).toEqual({ before: {}, after: fields });
    for (const [key, value] of Object.entries(values)) expect(kept(key), key).toEqual(value);
    expect(await read(name, fields)).toEqual(fields);
  });

  it('can be emptied', async () => {
    for (const [key, value] of Object.entries(values)) set(key, value);
    expect((await change(name, () => ({})))?.after).toEqual({});
    for (const key of Object.keys(values)) expect(kept(key), key).toBe(null);
  });

  it('is left alone where it can’t be read', async () => {
    for (const key of Object.keys(values)) localStorage.setItem(`fulcrum.${key}`, '{');
    expect(await change(name, () => ({}))).toBeUndefined();
    for (const key of Object.keys(values)) expect(localStorage.getItem(`fulcrum.${key}`)).toBe('{');
  });

  it('survives fields that it does not know', async () => {
    const odd = { '': '1', x: '{', 'list/a': '[]', 'on/1': '{"at":1}', 'key/__proto__': '"a"' };
    await expect(change(name, () => odd)).resolves.toBeDefined();
  });
});

it('an element of a list is a field, and a moved one is the only one that changes', async () => {
  set('favourites', [1, 2, 3]);
  const fields = await read('watchlists');
  expect(fields).toEqual({
    'favourites/1': '{"at":1}',
    'favourites/2': '{"at":2}',
    'favourites/3': '{"at":3}',
  });
  set('favourites', [3, 1, 2]);
  expect(await read('watchlists', fields)).toEqual({ ...fields, 'favourites/3': '{"at":0}' });
});

it('what is shown changes at once, without being saved as an edit', async () => {
  let edits = 0;
  const count = () => {
    edits++;
  };
  addEventListener(SAVED, count);
  await change('watchlists', () => ({
    'favourites/9': '{"at":1}',
    'list/list-x': '{"at":1,"name":"Mine"}',
    'list/list-x/4': '{"at":1}',
  }));
  await change('appearance', () => ({ theme: '"dark"' }));
  expect(favourites.value).toEqual([9]);
  expect(watchlists.value).toEqual([{ id: 'list-x', name: 'Mine', instruments: [4] }]);
  expect(theme.value).toBe('dark');
  expect(edits).toBe(0);
  favourites.value = [9, 1];
  expect(edits).toBe(1);
  removeEventListener(SAVED, count);
});

it('what the app itself drops does not count as deleted: it is not shown', async () => {
  const fields = {
    'on/1': JSON.stringify({ at: 1, ...indicator, kind: 'of a later version' }),
    'on/2': JSON.stringify({ at: 2, ...indicator }),
  };
  const found = await change('indicators', () => fields);
  expect(Object.keys(found?.after ?? {})).toEqual(['on/2']);
  const drawn = { 'EURUSD/a': JSON.stringify({ at: 1, ...drawing, kind: 'later' }) };
  expect((await change('drawings', () => drawn))?.after).toEqual({});
});

it('drawings of a newer version stay as they are', async () => {
  set('drawings.EUR/USD', file([drawing], 2));
  const former = { 'EUR%2FUSD/a': '{"at":1}' };
  const found = await change('drawings', () => ({}), former);
  expect(found?.before).toEqual(former);
  expect(kept('drawings.EUR/USD')).toEqual(file([drawing], 2));
});
