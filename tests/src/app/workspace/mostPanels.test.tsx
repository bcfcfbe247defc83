import { act, fireEvent } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { areaOf, closePanel, MAIN_AREA, stackOf, windowPanel } from '#domain/workspace/layout';
import { lastUsed } from '../../../../src/app/workspace/attention';
import { chooseLayout, edit, layout, resetLayout } from '../../../../src/app/workspace/store';
import { useWorkspaceActions } from '../../../../src/app/workspace/useWorkspaceActions';
import { showLanguage } from '../../../../src/i18n/i18n';
import { proposal } from '../../../../src/instruments/proposal';
import { actions } from '../../../../src/shortcuts/actions';
import { renderSettled } from '../../rendering';
import { scriptWorkerApi } from '../../scriptedWorkerApi';

/** The window that has the chart. */
const WINDOW = 'w1';

beforeEach(async () => {
  scriptWorkerApi();
  await showLanguage('en');
  chooseLayout('one');
  resetLayout('one');
  edit((now) => windowPanel(now, 'chart')?.layout ?? now);
  proposal.value = undefined;
  lastUsed.value = undefined;
});

function Actions({ area }: { area: string }) {
  useWorkspaceActions(area);
  return null;
}

const propose = () =>
  act(async () => {
    proposal.value = { code: 'BTC', side: 'buy' };
  });
const forms = () =>
  Object.entries(layout.peek().panels).flatMap(([id, { kind }]) => (kind === 'ticket' ? [id] : []));
const areaOfForm = () => areaOf(layout.peek(), forms()[0] ?? '')?.id;
const offered = (id: string) => actions.peek().find((action) => action.id === id);

test('an order proposed in a window brings the one order form there', async () => {
  await renderSettled(<Actions area={WINDOW} />);
  lastUsed.value = 'chart';
  await propose();
  expect(forms()).toEqual(['ticket']);
  expect(areaOfForm()).toBe(WINDOW);
  expect(stackOf(layout.peek(), 'ticket')).toEqual({
    panels: ['chart', 'ticket'],
    active: 'ticket',
  });
});

test('an order form that no panel has opens where the order was proposed', async () => {
  edit((now) => closePanel(now, 'ticket'));
  await renderSettled(<Actions area={WINDOW} />);
  await propose();
  expect(forms()).toHaveLength(1);
  expect(areaOfForm()).toBe(WINDOW);
});

test('Ctrl+Z undoes an arrangement, by the key of Z where letters are not Latin', async () => {
  await renderSettled(<Actions area={WINDOW} />);
  edit((now) => closePanel(now, 'news'));
  const press = (key: string, shiftKey: boolean) =>
    fireEvent.keyDown(document.body, { key, code: 'KeyZ', ctrlKey: true, shiftKey });
  press('я', false);
  expect(layout.peek().panels['news']).toBeDefined();
  press('Я', true);
  expect(layout.peek().panels['news']).toBeUndefined();
});

test('the palette adds no second order form', async () => {
  await renderSettled(<Actions area={MAIN_AREA} />);
  expect(offered('add ticket')).toBeUndefined();
  expect(offered('add watchlist')).toBeDefined();
  await act(async () => edit((now) => closePanel(now, 'ticket')));
  const add = offered('add ticket');
  await act(async () => add?.run());
  expect(forms()).toHaveLength(1);
  expect(offered('add ticket')).toBeUndefined();
  // It may have been kept since it was offered.
  await act(async () => add?.run());
  expect(forms()).toHaveLength(1);
});
