import { act } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import { failed, success } from '#domain/core/result';
import { MarketScreen } from '../../../src/features/market/MarketScreen';
import { showLanguage } from '../../../src/i18n/i18n';
import { marketQuery } from '../../../src/session/marketQuery';
import { category, descending, favourites, sort } from '../../../src/session/preferences';
import { click, onPhone, render, settle } from '../render';
import { listRow, scriptGateway } from '../scriptedGateway';

let path = '';
function Where() {
  path = useLocation().pathname;
  return null;
}

beforeEach(async () => {
  onPhone();
  category.value = undefined;
  sort.value = 'default';
  descending.value = false;
  favourites.value = [];
  await showLanguage('en');
});

async function market() {
  const worker = scriptGateway([listRow(1)]);
  const page = await render(
    <MemoryRouter>
      <MarketScreen />
      <Where />
    </MemoryRouter>,
  );
  await settle();
  const button = (name: string) =>
    [...page.element.querySelectorAll<HTMLElement>('button, a')].find(
      (element) => (element.getAttribute('aria-label') ?? element.textContent) === name,
    );
  const head = (name: string) =>
    button(name)?.closest('[role="columnheader"]')?.getAttribute('aria-sort');
  return { ...worker, page, button, head };
}

test('a column sorts, turns round, and gives the market’s own order back', async () => {
  const { button, head } = await market();
  const taps = async (name: string) => {
    await click(button(name));
    return [marketQuery.value.sort, marketQuery.value.descending, head(name)];
  };
  expect(await taps('Name')).toEqual(['name', false, 'ascending']);
  expect(await taps('Name')).toEqual(['name', true, 'descending']);
  expect(await taps('Name')).toEqual(['default', false, 'none']);
  expect(await taps('Change')).toEqual(['change', true, 'descending']);
  expect(await taps('Name')).toEqual(['name', false, 'ascending']);
  expect(head('Change')).toBe('none');
});

test('a chip filters; one that is gone filters nothing and is forgotten by none', async () => {
  category.value = 9;
  const { page } = await market();
  const radios = [...page.element.querySelectorAll<HTMLInputElement>('input[type="radio"]')];
  expect(radios.map(({ checked }) => checked)).toEqual([true, false]);
  await act(async () => radios[1]?.click());
  expect(marketQuery.value.categoryId).toBe(1);
  await act(async () => radios[0]?.click());
  expect(marketQuery.value).not.toHaveProperty('categoryId');
});

test('categories that could not be had come with the next list', async () => {
  const worker = await market();
  worker.scripted.categories = async () => failed({ kind: 'transport', code: 'ERR_NETWORK' });
  await act(async () => worker.frame({ listRevision: Math.random() }));
  await settle();
  worker.scripted.categories = async () => success([{ id: 4, name: 'Energy' }]);
  await act(async () => worker.frame({ listRevision: Math.random() }));
  await settle();
  expect(worker.page.element.textContent).toContain('Energy');
});

test('who has no finger refreshes by a button; search and languages are one tap away', async () => {
  const { button, count } = await market();
  await click(button('Refresh'));
  expect(count('refreshList')).toBe(1);
  await click(button('Language'));
  expect(path).toBe('/language');
});
