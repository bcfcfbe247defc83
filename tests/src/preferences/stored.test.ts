import { beforeEach, expect, test, vi } from 'vitest';
import {
  favourites,
  recentSearches,
  rememberSearch,
  toggleFavourite,
} from '../../../src/preferences/preferences';
import {
  aNumber,
  byInstrument,
  listOf,
  oneOf,
  stored,
  storedByTab,
} from '../../../src/preferences/stored';

beforeEach(() => localStorage.clear());

const elsewhere = (key: string, newValue: string | null) =>
  window.dispatchEvent(new StorageEvent('storage', { key: `fulcrum.${key}`, newValue }));

test('a choice is restored at the next visit', () => {
  const read = oneOf('a', 'b');
  stored('letter', 'a', read).value = 'b';
  expect(stored('letter', 'a', read).value).toBe('b');
});

test.each(['"c"', 'null', '{', '[]', ''])('invalid stored data is refused: %s', (text) => {
  localStorage.setItem('fulcrum.letter', text);
  expect(stored('letter', 'a', oneOf('a', 'b')).value).toBe('a');
});

test('a list keeps its valid items', () => {
  localStorage.setItem('fulcrum.numbers', '[1,"2",null,3]');
  expect(stored('numbers', [], listOf(aNumber)).value).toEqual([1, 3]);
});

test('what each instrument has of its own keeps its valid entries', () => {
  const read = () => stored('numbers', {}, byInstrument(aNumber)).value;
  localStorage.setItem('fulcrum.numbers', '{"1":2,"3":"4","5":null,"6":0}');
  expect(read()).toEqual({ 1: 2, 6: 0 });
  localStorage.setItem('fulcrum.numbers', '[7]');
  expect(read()).toEqual({});
});

test('a choice in another tab applies here, invalid data does not', () => {
  const letter = stored('letter', 'a', oneOf('a', 'b'));
  elsewhere('letter', '"b"');
  expect(letter.value).toBe('b');
  elsewhere('letter', '"z"');
  expect(letter.value).toBe('a');
  elsewhere('another', '"b"');
  expect(letter.value).toBe('a');
});

test('what another tab saved is not saved again here, where it may not be known', () => {
  const letter = stored('letter', 'a', oneOf('a', 'b'));
  localStorage.setItem('fulcrum.letter', '"of a newer version"');
  letter.value = 'b';
  localStorage.setItem('fulcrum.letter', '"of a newer version"');
  elsewhere('letter', '"of a newer version"');
  expect(letter.value).toBe('a');
  expect(localStorage.getItem('fulcrum.letter')).toBe('"of a newer version"');
  letter.value = 'b';
  expect(localStorage.getItem('fulcrum.letter')).toBe('"b"');
});

test('without storage the choice lasts as long as the page', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  const letter = stored('letter', 'a', oneOf('a', 'b'));
  letter.value = 'b';
  expect(letter.value).toBe('b');
});

test('a star is set and removed; recent searches are limited, newest first, each once', () => {
  toggleFavourite(3);
  toggleFavourite(5);
  toggleFavourite(3);
  expect(favourites.value).toEqual([5]);
  for (const text of ['eur', 'gold', 'EUR', 'a', 'b', 'c', 'd', 'e']) rememberSearch(text);
  expect(recentSearches.value).toEqual(['e', 'd', 'c', 'b', 'a', 'EUR']);
});

test('each tab keeps its own value; a new tab starts with the one that was set last', () => {
  sessionStorage.clear();
  const here = storedByTab('own', 'a', oneOf('a', 'b', 'c'));
  here.value = 'b';
  localStorage.setItem('fulcrum.own', '"c"');
  elsewhere('own', '"c"');
  expect(here.value).toBe('b');
  const read = () => storedByTab('own', 'a', oneOf('a', 'b', 'c')).value;
  expect(read()).toBe('b');
  sessionStorage.clear();
  expect(read()).toBe('c');
});
