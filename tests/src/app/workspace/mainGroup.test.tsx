import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Activity } from 'react';
import { HashRouter } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import { changeShared, MAIN_AREA, MAIN_GROUP } from '#domain/workspace/layout';
import { followMain } from '../../../../src/app/workspace/mainGroup';
import { StackActions } from '../../../../src/app/workspace/StackActions';
import {
  chooseLayout,
  layout,
  layouts,
  receiveLayout,
  resetLayout,
} from '../../../../src/app/workspace/store';
import { WorkspaceScreen } from '../../../../src/app/workspace/WorkspaceScreen';
import { showLanguage } from '../../../../src/i18n/i18n';
import { instrument } from '../../../../src/preferences/instrument';
import { onDesktop, renderSettled } from '../../rendering';
import { listRow, scriptWorkerApi } from '../../scriptedWorkerApi';

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

test('a chart that leaves the group before any instrument was chosen keeps the one it shows', async () => {
  scriptWorkerApi([listRow(1), listRow(2)]);
  chooseLayout('one');
  resetLayout('one');
  instrument.value = undefined;
  await renderSettled(<StackActions id="chart" floating={false} area={MAIN_AREA} />);
  await userEvent.click(await screen.findByRole('button', { name: /Name 1: link 1/ }));
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'No link' }));
  expect(layout.peek().panels['chart']).toMatchObject({ link: undefined, code: 'CODE1' });
});
