import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import type { Feature } from '#domain/api/features';
import { success } from '#domain/core/result';
import { InstrumentSearch } from '../../../../src/features/search/InstrumentSearch';
import { showLanguage } from '../../../../src/i18n/i18n';
import { recentSearches } from '../../../../src/preferences/preferences';
import { queries } from '../../../../src/requests/queries';
import { onPhone, renderSettled, settle } from '../../rendering';
import { listRow, scriptWorkerApi, settingsWith } from '../../scriptedWorkerApi';

let address = '';
function Where() {
  const { pathname, search } = useLocation();
  address = pathname + search;
  return null;
}

beforeEach(async () => {
  onPhone();
  queries.clear();
  recentSearches.value = [];
  await showLanguage('en');
});

async function search(features: Feature[], popular: { code: string; name: string }[]) {
  const { scripted, answers } = scriptWorkerApi([listRow(1)]);
  scripted.accountSettings = async () => success(settingsWith(features));
  answers['ranking.popularList'] = async () => success(popular) as never;
  await renderSettled(
    <MemoryRouter initialEntries={['/product']}>
      <InstrumentSearch />
      <Where />
    </MemoryRouter>,
  );
  await settle();
}

const POPULAR = [{ code: 'BTC/USD', name: 'Bitcoin' }];
const suggested = () => screen.queryByRole('region', { name: 'Most traded' });

test('before a search, what most users trade opens by a tap', async () => {
  await search(['popular'], POPULAR);
  await userEvent.type(screen.getByRole('searchbox'), 'e');
  expect(suggested()).toBeNull();
  await userEvent.clear(screen.getByRole('searchbox'));
  await userEvent.click(screen.getByRole('button', { name: 'Bitcoin' }));
  expect(address).toBe('/trade?code=BTC%2FUSD');
});

test.each<[string, Feature[], typeof POPULAR]>([
  ['the server does not count it', [], POPULAR],
  ['there are too few users', ['popular'], []],
])('nothing is suggested where %s', async (_, features, popular) => {
  await search(features, popular);
  expect(suggested()).toBeNull();
});
