import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { showLanguage } from '../../../src/i18n/i18n';
import WatchlistBoxes from '../../../src/instruments/WatchlistBoxes';
import { favourites } from '../../../src/preferences/preferences';
import { watchlists } from '../../../src/preferences/watchlists';
import { onPhone, renderSettled } from '../rendering';

beforeEach(async () => {
  onPhone();
  await showLanguage('en');
  favourites.value = [7];
  watchlists.value = [{ id: 'list-a', name: 'Asia', instruments: [1] }];
});

test('boxes put an instrument into lists and take it out; a new list begins with it', async () => {
  await renderSettled(<WatchlistBoxes instrument={7} />);
  const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
  expect([box('Favourites').checked, box('Asia').checked]).toEqual([true, false]);
  await userEvent.click(box('Favourites'));
  await userEvent.click(box('Asia'));
  expect(favourites.value).toEqual([]);
  expect(watchlists.value[0]?.instruments).toEqual([1, 7]);

  await userEvent.click(screen.getByRole('button', { name: 'New list' }));
  await userEvent.click(screen.getByRole('button', { name: 'Create list' }));
  expect(screen.getByText('Please enter a name for the list')).toBeTruthy();
  await userEvent.type(screen.getByRole('textbox'), 'Gold{Enter}');
  expect(watchlists.value[1]).toMatchObject({ name: 'Gold', instruments: [7] });
  expect(box('Gold').checked).toBe(true);
  expect(screen.queryByRole('textbox')).toBeNull();
});
