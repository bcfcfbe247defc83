import { act, screen } from '@testing-library/react';
import { Activity } from 'react';
import { HashRouter } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import { changeShared, MAIN_GROUP } from '#domain/workspace/layout';
import { followMain } from '../../../../src/app/workspace/mainGroup';
import { layout, layouts, receiveLayout } from '../../../../src/app/workspace/store';
import { WorkspaceScreen } from '../../../../src/app/workspace/WorkspaceScreen';
import { showLanguage } from '../../../../src/i18n/i18n';
import { instrument } from '../../../../src/preferences/instrument';
import { onDesktop, renderSettled } from '../../rendering';
import { scriptWorkerApi } from '../../scriptedWorkerApi';

vi.mock('../../../../src/app/workspace/Dock', () => ({ Dock: () => null }));
vi.mock('../../../../src/app/workspace/Toolbar', () => ({ Toolbar: () => <nav /> }));
vi.mock('../../../../src/app/workspace/store', async (original) => ({
  ...(await original<object>()),
  loadLayouts: async () => undefined,
}));
vi.mock('../../../../src/app/workspace/panels', async (original) => ({
  ...(await original<object>()),
  loadPanels: async () => undefined,
}));

beforeEach(async () => {
  onDesktop();
  scriptWorkerApi();
  await showLanguage('en');
  location.hash = '#/workspace';
});

const page = (mode: 'visible' | 'hidden') => (
  <HashRouter>
    <Activity mode={mode}>
      <WorkspaceScreen />
    </Activity>
  </HashRouter>
);

/** An instrument is chosen in a window. */
const chooseElsewhere = (code: string) =>
  act(async () => {
    receiveLayout(layouts.peek().current, changeShared(layout.peek(), MAIN_GROUP, { code }));
    followMain();
  });

test('an instrument chosen in a window opens in the workspace, not over a screen that covers it', async () => {
  const { rerender } = await renderSettled(page('visible'));
  await screen.findByRole('navigation');
  await chooseElsewhere('BTC');
  // Without a list of instruments it names none.
  expect(location.hash).toMatch(/^#\/trade/);
  await act(async () => rerender(page('hidden')));
  await act(async () => {
    location.hash = '#/mine/withdraw';
  });
  await chooseElsewhere('ETH');
  expect(location.hash).toBe('#/mine/withdraw');
  expect(instrument.value).toBe('ETH');
});
