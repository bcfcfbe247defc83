import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { paintLastSeen, saveLastSeen } from '../../../src/session/lastSeen';

const QUERY = { sort: 'default' };
const ROW = { name: 'EUR/USD', letters: 'EU', head: '1.08', tail: '42', change: '+0.12%' };

beforeEach(() => {
  localStorage.clear();
  location.hash = '';
  document.body.innerHTML = '<div id="root"><ul class="boot"><li></li><li></li></ul></div>';
});

const texts = () => screen.getAllByRole('listitem').map((row) => row.textContent);

test('shows the rows of the last visit before anything is loaded', () => {
  saveLastSeen('en', QUERY, [ROW, { ...ROW, name: 'GBP/USD' }]);
  expect(paintLastSeen('en', QUERY)).toBe(true);
  expect(texts()).toEqual(['EUR/USD1.0842+0.12%', 'GBP/USD1.0842+0.12%']);
});

test('shows none in another language, in another order or on another screen', () => {
  saveLastSeen('en', QUERY, [ROW]);
  expect(paintLastSeen('de', QUERY)).toBe(false);
  expect(paintLastSeen('en', { sort: 'change' })).toBe(false);
  location.hash = '#/order';
  expect(paintLastSeen('en', QUERY)).toBe(false);
  expect(texts()).toEqual(['', '']);
});

test('renders no stored markup, and no rows of broken data', () => {
  saveLastSeen('en', QUERY, [{ ...ROW, name: '<img src=x onerror=alert(1)>' }]);
  expect(paintLastSeen('en', QUERY)).toBe(true);
  expect(screen.queryByRole('img')).toBeNull();
  localStorage.setItem('fulcrum.last-seen', '{"of":"en {}","rows":7}');
  expect(paintLastSeen('en', {})).toBe(false);
  localStorage.setItem('fulcrum.last-seen', 'null');
  expect(paintLastSeen('en', {})).toBe(false);
});
