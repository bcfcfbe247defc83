import { act } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Failure, failed, success } from '#domain/core/result';
import { toUnixMs } from '#domain/core/time';
import { toPrice } from '#domain/core/units';
import type { Alert } from '#domain/trading/alert';
import { moveAlert } from '../../../../../src/features/trading/chart/moveAlert';
import { useAlertsOf } from '../../../../../src/features/trading/chart/useAlertsOf';
import { alertsRevision } from '../../../../../src/worker/alerts';
import { connectionState } from '../../../../../src/worker/frameReceiver';
import { user } from '../../../../../src/worker/trading';
import { renderSettled, settle } from '../../../rendering';
import { scriptWorkerApi } from '../../../scriptedWorkerApi';

const ALERT: Alert = {
  condition: { kind: 'price' },
  ...{ id: 7, code: 'CODE71', name: 'Name 71', precision: 5, price: toPrice('1.2'), above: true },
  ...{ repeat: true, note: 'up', until: toUnixMs(9e12), createdAt: toUnixMs(1) },
  ...{ triggeredAt: undefined, triggerPrice: toPrice('0') },
};
const FAILURE: Failure = { kind: 'signed-out' };

function Chart() {
  return <p>{useAlertsOf('CODE71').length}</p>;
}

test('nine charts share one answer, until the alerts may have changed', async () => {
  const worker = scriptWorkerApi([]);
  const line: Alert = { ...ALERT, id: 8, condition: { kind: 'margin', level: 1 } };
  worker.scripted.alerts = async () => success({ alerts: [ALERT, line], watchedBy: 'server' });
  const asked = () => worker.calls.filter(({ method }) => method === 'alerts').length;
  user.value = { id: 1, uid: '1', email: 'a@b.c', mobile: '', demo: false, inviteCode: '' };
  const { container } = await renderSettled(
    <>
      {Array.from({ length: 9 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else
        <Chart key={at} />
      ))}
    </>,
  );
  await settle();
  expect(container.textContent).toBe('1'.repeat(9));
  expect(asked()).toBe(1);
  await act(async () => {
    alertsRevision.value += 1;
  });
  await settle();
  expect(asked()).toBe(2);
});

test('a failed answer is shared no longer', async () => {
  const worker = scriptWorkerApi([]);
  worker.scripted.alerts = async () => failed(FAILURE);
  user.value = { id: 2, uid: '2', email: 'a@b.c', mobile: '', demo: false, inviteCode: '' };
  await renderSettled(<Chart />);
  await settle();
  worker.scripted.alerts = async () => success({ alerts: [ALERT], watchedBy: 'server' });
  const { container } = await renderSettled(<Chart />);
  await settle();
  expect(container.textContent).toBe('1');
});

test('a moved alert is set anew before the former one is deleted, stays where it can’t be, and is one in the end', async () => {
  const worker = scriptWorkerApi([]);
  let id = 7;
  worker.scripted.addAlert = async (form) => {
    id += 1;
    return success({ data: { ...ALERT, id, price: toPrice(form.price) }, text: '' });
  };
  worker.scripted.deleteAlert = async () => success({ data: null, text: '' });
  const changes = () =>
    worker.calls.flatMap(({ method, args }) => (/Alert/.test(method) ? [[method, args[0]]] : []));
  const move = (price: string) => moveAlert(ALERT, toPrice(price), 71);
  connectionState.value = { state: 'connecting', marketOffset: undefined };
  expect(await move('1.3')).toBe(false);
  connectionState.value = { state: 'live', marketOffset: undefined };
  expect(await move('1.2')).toBe(true);
  expect(changes()).toEqual([]);
  // Again, before the list comes without the first.
  expect(await Promise.all([move('1.3'), move('1.4')])).toEqual([true, true]);
  expect(changes()).toMatchObject([
    ['addAlert', { price: '1.30000', repeat: true, note: 'up', until: ALERT.until }],
    ['deleteAlert', 7],
    ['addAlert', { price: '1.40000' }],
    ['deleteAlert', 8],
  ]);
  worker.scripted.addAlert = async () => failed(FAILURE);
  expect(await move('1.5')).toBe(false);
  expect(changes()).toHaveLength(5);
  // Where it can't be deleted it is shown where it is, and moved itself the next time.
  const former: Alert = { ...ALERT, id: 70 };
  const moveFormer = (price: string) => moveAlert(former, toPrice(price), 71);
  worker.scripted.addAlert = async () => success({ data: { ...ALERT, id: 71 }, text: '' });
  worker.scripted.deleteAlert = async () => failed(FAILURE);
  expect(await moveFormer('1.6')).toBe(false);
  worker.scripted.deleteAlert = async () => success({ data: null, text: '' });
  await moveFormer('1.7');
  expect(changes().slice(5)).toMatchObject([
    ['addAlert', { price: '1.60000' }],
    ['deleteAlert', 70],
    ['addAlert', { price: '1.70000' }],
    ['deleteAlert', 70],
  ]);
});
