import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { success } from '#domain/core/result';
import { SyncRow } from '../../../../src/features/account/SyncRow';
import { showLanguage } from '../../../../src/i18n/i18n';
import {
  answerOffer,
  followsAccount,
  type SettingsOffer,
  settingsSync,
} from '../../../../src/preferences/settingsSync';
import { findSheet, onPhone, renderSettled } from '../../rendering';
import { scriptWorkerApi } from '../../scriptedWorkerApi';

const IDLE = { waiting: false, problem: '', offers: [] };

beforeEach(async () => {
  onPhone();
  await showLanguage('en');
});
afterEach(() => {
  followsAccount.value = true;
  settingsSync.value = IDLE;
});

async function opened(features: string[]) {
  const { scripted, frame } = scriptWorkerApi();
  scripted.accountSettings = async () => success({ features } as never);
  await renderSettled(<SyncRow />);
  return frame;
}
const row = () =>
  // Also behind the sheet.
  screen.queryByRole('button', { name: /^Same on all my devices/, hidden: true });

it('is there only where the server has the settings', async () => {
  await opened([]);
  expect(row()).toBe(null);
});

it('switches whether the device follows the account', async () => {
  await opened(['settings']);
  expect(row()?.textContent).toContain('On');
  await userEvent.click(row() as HTMLElement);
  const sheet = await findSheet();
  await userEvent.click(within(sheet).getByRole('checkbox'));
  expect(followsAccount.value).toBe(false);
  expect(sheet.textContent).toContain('This device keeps its own.');
  expect(row()?.textContent).toContain('Off');
});

it('says that something waits, and what the server refuses', async () => {
  const frame = await opened(['settings']);
  await userEvent.click(row() as HTMLElement);
  const sheet = await findSheet();
  expect(within(sheet).queryByRole('status')).toBe(null);
  await act(async () => frame({ connection: { state: 'offline', marketOffset: undefined } }));
  expect(within(sheet).getByRole('status').textContent).toBe(
    'Changes are sent once there is a connection.',
  );
  await act(async () => {
    settingsSync.value = { ...IDLE, problem: 'Too much.' };
  });
  expect(within(sheet).getByRole('alert').textContent).toBe('Too much.');
  expect(row()?.textContent).toContain('Too much.');
});

it('names what was changed in two places, and takes or dismisses it', async () => {
  const offers: SettingsOffer[] = [
    { key: 'appearance/theme', text: '"dark"' },
    { key: 'watchlists/list/list-a', text: '{"at":1,"name":"Tech"}' },
    { key: 'layouts/own/own-a', text: '{"at":1,"name":"Night","layout":{}}' },
    { key: 'layouts/shipped/two', text: '{}' },
    { key: 'drawings/EUR%2FUSD/a', text: '{"at":1}' },
    { key: 'of a later version/x', text: '7' },
  ];
  settingsSync.value = { ...IDLE, offers };
  const answers: [string, boolean][] = [];
  answerOffer.call = ({ key }, take) => void answers.push([key, take]);
  await opened(['settings']);
  await userEvent.click(row() as HTMLElement);
  const sheet = await findSheet();
  const items = within(sheet).getAllByRole('listitem');
  const names = items.map(({ textContent }) => textContent?.replace('Use the otherDismiss', ''));
  expect(names).toEqual([
    'Appearance',
    'Watchlists: Tech',
    'Layout: Night',
    'Two charts',
    'Drawings: EUR/USD',
    'Same on all my devices',
  ]);
  const tap = (index: number, name: string) =>
    userEvent.click(within(items[index] as HTMLElement).getByRole('button', { name }));
  await tap(0, 'Use the other');
  await tap(1, 'Dismiss');
  expect(answers).toEqual([
    ['appearance/theme', true],
    ['watchlists/list/list-a', false],
  ]);
});
