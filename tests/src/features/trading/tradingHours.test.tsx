import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Feature } from '#domain/api/features';
import { instrumentList } from '#domain/api/market';
import { parse } from '#domain/api/schema';
import { success } from '#domain/core/result';
import { toDurationMs } from '#domain/core/time';
import { AROUND_THE_CLOCK, type OpenHours } from '#domain/market/hours';
import { TradingHours } from '../../../../src/features/trading/TradingHours';
import { showLanguage } from '../../../../src/i18n/i18n';
import { queries } from '../../../../src/requests/queries';
import { steadyTime } from '../../../../src/worker/age';
import { connectionState } from '../../../../src/worker/frameReceiver';
import { renderSettled } from '../../rendering';
import { scriptWorkerApi, settingsWith } from '../../scriptedWorkerApi';
import { EURUSD } from '../sampleOrder';

beforeEach(async () => {
  vi.stubEnv('TZ', 'America/New_York');
  queries.clear();
  await showLanguage('en');
});
afterEach(() => {
  connectionState.value = before;
  vi.unstubAllEnvs();
});

const before = connectionState.peek();
const WORKDAYS = [1, 2, 3, 4, 5].map((day) => ({ day, open: 870, close: 1260 }));

async function shown(
  now: string,
  hours: readonly OpenHours[] | undefined,
  features: Feature[] = ['hours'],
) {
  const { scripted, answers } = scriptWorkerApi();
  scripted.accountSettings = async () => success(settingsWith(features));
  const rows = [{ Id: EURUSD.id, Hours: hours }];
  answers['market.instrumentList'] = async () => success(rows) as never;
  const marketOffset = toDurationMs(Date.parse(now) - steadyTime());
  connectionState.value = { ...connectionState.peek(), marketOffset };
  await renderSettled(<TradingHours instrument={EURUSD} />);
  return [...document.querySelectorAll('dd > div')].map(({ textContent }) =>
    // Intl joins with thin spaces.
    textContent?.replace(/[\u2009\u202f]/g, ' '),
  );
}

test('an exchange opens at the time of the user, an hour earlier once summer time has ended', async () => {
  expect(await shown('2026-10-30T12:00:00Z', WORKDAYS)).toEqual([
    'Fri, Oct 30, 10:30 AM – 5:00 PM',
    'Mon, Nov 2, 9:30 AM – 4:00 PM',
    'Tue, Nov 3, 9:30 AM – 4:00 PM',
    'Wed, Nov 4, 9:30 AM – 4:00 PM',
    'Thu, Nov 5, 9:30 AM – 4:00 PM',
  ]);
});

test('hours that meet at midnight are one opening', async () => {
  const row = {
    ...{ Id: 1, Code: 'EURUSD', PricePrecision: 5, Pip: '0.01', ForexMinCont: '0.01' },
    ...{ ForexContNum: '100000', MarginMode: 2, ForexFeeRate: '5' },
    Hours: [
      { Day: 0, Open: '22:00', Close: '00:00' },
      ...[1, 2, 3, 4].map((Day) => ({ Day, Open: '00:00', Close: '00:00' })),
      { Day: 5, Open: '00:00', Close: '21:00' },
    ],
  };
  const hours = parse(instrumentList.answer, [row])?.[0]?.Hours;
  expect(await shown('2026-10-28T12:00:00Z', hours)).toEqual([
    'Sun, Oct 25, 6:00 PM – Fri, Oct 30, 5:00 PM',
    'Sun, Nov 1, 5:00 PM – Fri, Nov 6, 4:00 PM',
  ]);
});

test('an instrument that never closes says so', async () => {
  await shown('2026-10-30T12:00:00Z', AROUND_THE_CLOCK);
  expect(screen.getByRole('definition').textContent).toBe('Around the clock');
});

test.each([
  ['which the server does not tell', undefined, ['hours'] as Feature[]],
  ['of a server without them', AROUND_THE_CLOCK, [] as Feature[]],
])('hours %s are not shown', async (_, hours, features) => {
  await shown('2026-10-30T12:00:00Z', hours, features);
  expect(screen.queryByRole('definition')).toBeNull();
});
