import { act, fireEvent, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import { success } from '#domain/core/result';
import { toUnixMs } from '#domain/core/time';
import { toPrice } from '#domain/core/units';
import type { Alert } from '#domain/trading/alert';
import AlertSheet from '../../../../../src/alerts/AlertSheet';
import { alertWish, openAlertForm } from '../../../../../src/alerts/alertWish';
import { AlertsScreen } from '../../../../../src/features/trading/alerts/AlertsScreen';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { instrument } from '../../../../../src/preferences/instrument';
import { toasts } from '../../../../../src/ui/toastStore';
import { apply } from '../../../../../src/worker/frameReceiver';
import { renderSettled, settle } from '../../../rendering';
import { listRow, scriptWorkerApi } from '../../../scriptedWorkerApi';

const ALERT: Alert = {
  condition: { kind: 'price' },
  ...{ id: 7, code: 'CODE71', name: 'Name 71', precision: 5, price: toPrice('1.2'), above: true },
  ...{ repeat: true, note: '', until: undefined, createdAt: toUnixMs(1) },
  ...{ triggeredAt: undefined, triggerPrice: toPrice('0') },
};

beforeEach(async () => {
  await showLanguage('en');
  alertWish.value = undefined;
  instrument.value = undefined;
  toasts.value = [];
});

async function shown(alerts: Alert[], watchedBy: 'server' | 'device' = 'server') {
  const worker = scriptWorkerApi([listRow(71)]);
  worker.scripted.row = async (code) =>
    code === undefined || code === 'CODE71' ? listRow(71) : undefined;
  worker.scripted.alerts = async () => success({ alerts, watchedBy });
  worker.scripted.deleteAlert = async () => success({ data: null, text: '' });
  await renderSettled(
    <MemoryRouter>
      <AlertsScreen />
      <AlertSheet />
    </MemoryRouter>,
  );
  await settle();
  return worker;
}

const tap = async () => {
  fireEvent.click(screen.getByRole('button', { name: /(Delete|Connecting).*Name 71/ }));
  await settle();
};

test('an alert is deleted once, however often it is tapped until the list comes without it', async () => {
  const worker = await shown([ALERT]);
  let answer = () => {};
  worker.scripted.deleteAlert = () =>
    new Promise((resolve) => {
      answer = () => resolve(success({ data: null, text: '' }));
    });
  await tap();
  const button = screen.getByRole('button', { name: /Delete/ }) as HTMLButtonElement;
  // The focus of a keyboard stays on it.
  const focusable = [!button.disabled];
  await tap();
  await act(async () => answer());
  await settle();
  focusable.push(!button.disabled);
  await tap();
  expect(focusable).toEqual([true, true]);
  expect(worker.count('deleteAlert')).toBe(1);
});

test.each([
  ['server', 0],
  ['device', 1],
] as const)(
  'over an unproven connection an alert of the %s is deleted %i times',
  async (place, times) => {
    const worker = await shown([ALERT], place);
    await act(async () => apply({ connection: { state: 'connecting', marketOffset: undefined } }));
    await tap();
    expect(worker.count('deleteAlert')).toBe(times);
  },
);

const MARGIN: Alert = {
  ...ALERT,
  ...{ code: '', name: '' },
  condition: { kind: 'margin', level: 200, above: false } as never,
};

test.each([
  ['where no instrument was chosen', undefined],
  ['where the chosen one is gone', 'GONE'],
])('an alert on the margin level is opened also %s', async (_, chosen) => {
  instrument.value = chosen;
  await shown([MARGIN]);
  fireEvent.click(screen.getByText('Margin level'));
  await settle();
  expect(alertWish.value).toMatchObject({ code: 'CODE71', former: MARGIN });
});

test('an alert whose instrument is gone says so instead of opening nothing', async () => {
  await shown([]);
  await act(async () => openAlertForm('GONE', '1.2', { former: ALERT }));
  await settle();
  expect(toasts.value.map(({ text }) => text)).toEqual([
    'There is no instrument with the code GONE.',
  ]);
  expect(alertWish.value).toBeUndefined();
});
