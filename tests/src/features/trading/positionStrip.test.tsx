import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Order } from '#domain/trading/order';
import { PositionStrip } from '../../../../src/features/trading/PositionStrip';
import { ordersRevision, user } from '../../../../src/gateway/trading';
import { showLanguage } from '../../../../src/i18n/i18n';
import { renderSettled, settle } from '../../rendering';
import { listRow, scriptGateway } from '../../scriptedGateway';
import { EURUSD, lots, order } from '../sampleOrder';

beforeEach(async () => {
  await showLanguage('en');
  user.value = { id: 1, uid: '1', email: '', mobile: '', demo: false, inviteCode: '' };
});

test('an order that changes while one of several is chosen is opened as it is then', async () => {
  const { scripted, frame } = scriptGateway([listRow(1, { instrument: EURUSD })]);
  let held: Order[] = [order({ id: 1 }), order({ id: 2, lots: lots('0.2') })];
  scripted.ordersOf = async () => held;
  scripted.watchOrders = async () => undefined;
  scripted.setReversal = async () => undefined;
  await renderSettled(<PositionStrip instrument={EURUSD} />);
  await settle();
  await userEvent.click(screen.getByRole('button', { name: 'Reverse' }));
  held = [order({ id: 1 }), order({ id: 2, lots: lots('0.1') })];
  await act(async () => frame({ ordersRevision: ordersRevision.peek() + 1 }));
  await settle();
  const [, second] = within(await screen.findByRole('dialog')).getAllByRole('button', {
    name: /EUR\/USD/,
  });
  await userEvent.click(second as HTMLElement);
  await settle();
  const dialogs = await screen.findAllByRole('dialog');
  expect(dialogs.at(-1)?.textContent).toContain('0.1 lots');
  expect(dialogs.at(-1)?.textContent).not.toContain('0.2 lots');
});
