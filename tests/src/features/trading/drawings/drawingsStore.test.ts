import { afterEach, expect, test, vi } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import { type Drawing, PLAIN_STYLE } from '../../../../../src/features/trading/drawings/drawing';
import {
  readSavedDrawings,
  writeDrawings,
} from '../../../../../src/features/trading/drawings/drawingsFile';
import { drawingsStore } from '../../../../../src/features/trading/drawings/drawingsStore';
import { adding, changing, removing } from '../../../../../src/features/trading/drawings/edits';
import {
  drawingsKey,
  hasDrawings,
} from '../../../../../src/features/trading/drawings/savedDrawings';

afterEach(() => localStorage.clear());

const at = (id: string, price = '1.10000'): Drawing => ({
  id,
  kind: 'horizontal',
  anchors: [{ time: toUnixSeconds(60), price }],
  style: PLAIN_STYLE,
  locked: false,
  text: '',
});
const kept = (code: string) =>
  readSavedDrawings(localStorage.getItem(drawingsKey(code)), 5).map(({ id }) => id);
/** Another tab writes; the browser tells this one, unless it has not got to it yet. */
function otherTab(code: string, drawings: Drawing[], told: boolean): void {
  const key = drawingsKey(code);
  localStorage.setItem(key, writeDrawings(code, drawings));
  if (told) dispatchEvent(new StorageEvent('storage', { key, storageArea: localStorage }));
}

test('drawings are kept by instrument, and their undo with the page', () => {
  const store = drawingsStore('KEPT', 5);
  store.edit((list) => adding(list, [at('a')]));
  drawingsStore('OTHER', 5).edit((list) => adding(list, [at('b')]));
  expect(kept('KEPT')).toEqual(['a']);
  expect(kept('OTHER')).toEqual(['b']);
  store.undo();
  expect(kept('KEPT')).toEqual([]);
  expect(hasDrawings(drawingsKey('KEPT'))).toBe(false);
  store.redo();
  expect(kept('KEPT')).toEqual(['a']);
  expect(hasDrawings(drawingsKey('KEPT'))).toBe(true);
});

test('another tab loses no edit, even where this one has not heard of it yet', () => {
  const store = drawingsStore('TABS', 5);
  store.edit((list) => adding(list, [at('a')]));
  otherTab('TABS', [at('a'), at('b')], false);
  store.edit((list) => adding(list, [at('c')]));
  expect(kept('TABS')).toEqual(['a', 'b', 'c']);
  otherTab('TABS', [at('a', '1.20000'), at('b'), at('c')], true);
  expect(store.history.value.list[0]?.anchors[0]?.price).toBe('1.20000');
  // What the other tab has moved meanwhile stays there.
  store.undo();
  store.undo();
  expect(kept('TABS')).toEqual(['a', 'b']);
});

test('without storage the drawings live as long as the page', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const store = drawingsStore('FULL', 5);
  store.edit((list) => adding(list, [at('a')]));
  store.edit((list) => changing(list, 'a', (drawing) => ({ ...drawing, locked: true })));
  store.edit((list) => removing(list, new Set(['a'])));
  expect(store.history.value.list).toEqual([{ ...at('a'), locked: true }]);
  store.undo();
  store.undo();
  expect(store.history.value.list).toEqual([]);
});
