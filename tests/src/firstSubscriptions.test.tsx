import { afterEach, beforeEach, expect, it } from 'vitest';
import { success } from '#domain/core/result';
import { subscriptionsAhead } from '../../src/firstSubscriptions';
import { useFeature } from '../../src/requests/accountSettings';
import { queries } from '../../src/requests/queries';
import { renderSettled } from './rendering';
import { scriptWorkerApi, settingsWith } from './scriptedWorkerApi';

const EURUSD = [{ type: 'sub', topic: 'DAY_MARKET', codes: ['EURUSD'] }];

function Visit() {
  return useFeature('sub_url') ? 'yes' : 'no';
}

/** A visit in which the server tells what it has. */
async function visit(features: readonly string[]): Promise<void> {
  scriptWorkerApi().scripted.accountSettings = async () => success(settingsWith(features));
  const { unmount } = await renderSettled(<Visit />);
  unmount();
  queries.clear();
}

beforeEach(() => {
  history.replaceState(null, '', '#/');
  sessionStorage.setItem('fulcrum.instrument', '"EURUSD"');
});
afterEach(() => {
  document.head.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});

it('a page of our server subscribes in the address of its first connection', () => {
  expect(subscriptionsAhead()).toEqual([]);
  document.head.innerHTML = '<meta name="server-features" content="sub_url">';
  expect(subscriptionsAhead()).toEqual(EURUSD);
});

it('a page from elsewhere does so if the server could on the last visit', async () => {
  document.head.innerHTML = '<meta name="server-features" content="">';
  await visit(['alerts']);
  expect(subscriptionsAhead()).toEqual([]);
  await visit(['compact', 'sub_url']);
  expect(subscriptionsAhead()).toEqual(EURUSD);
  await visit(['compact']);
  expect(subscriptionsAhead()).toEqual([]);
});
