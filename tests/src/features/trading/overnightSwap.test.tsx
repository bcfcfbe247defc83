import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Feature } from '#domain/api/features';
import { instrumentList } from '#domain/api/market';
import { parse } from '#domain/api/schema';
import { success } from '#domain/core/result';
import { toDurationMs } from '#domain/core/time';
import { OvernightSwap } from '../../../../src/features/trading/OvernightSwap';
import { showLanguage } from '../../../../src/i18n/i18n';
import { queries } from '../../../../src/requests/queries';
import { steadyTime } from '../../../../src/worker/age';
import { connectionState } from '../../../../src/worker/frameReceiver';
import { instrumentRow } from '../../../workers/support/testWorker';
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
/** A Friday; the United States end their summer time on Sunday. */
const NOW = '2026-10-30T12:00:00Z';

/** Label and value of each row, as a server with these fields has them shown. */
async function shown(fields: object, features: Feature[] = ['swap']) {
  const { scripted, answers } = scriptWorkerApi();
  scripted.accountSettings = async () => success(settingsWith(features));
  const rows = parse(instrumentList.answer, [{ ...instrumentRow(EURUSD.id, 'EURUSD'), ...fields }]);
  answers['market.instrumentList'] = async () => success(rows) as never;
  const marketOffset = toDurationMs(Date.parse(NOW) - steadyTime());
  connectionState.value = { ...connectionState.peek(), marketOffset };
  await renderSettled(<OvernightSwap instrument={EURUSD} />);
  return screen
    .queryAllByRole('definition')
    .map((value) => [
      value.previousElementSibling?.textContent,
      value.textContent?.replace(/[\u2009\u202f]/g, ' '),
    ]);
}

const LONG = ['Swap long, per lot and night', '-7.51 USD'];
const SHORT = ['Swap short, per lot and night', '+2.89 USD'];

test('an instrument says what it costs to hold, and when that is charged, in the time of the user', async () => {
  const fields = { SwapLong: '-7.51', SwapShort: '2.89', SwapTriple: 4 };
  expect(await shown(fields)).toEqual([
    LONG,
    SHORT,
    ['Next swap, your time', 'Fri, Oct 30, 08:00 PM'],
    // An hour earlier than today: summer time has ended.
    ['Next triple swap, your time', 'Wed, Nov 4, 07:00 PM'],
  ]);
});

test.each<[object, (string[] | undefined)[]]>([
  [{ SwapLong: '-7.51', SwapShort: '2.89' }, [LONG, SHORT]],
  [{ SwapLong: -7.51, SwapShort: '' }, [LONG]],
  [{ SwapLong: 'NaN', SwapShort: '2.89' }, [SHORT]],
  [{ SwapLong: '-7.51', SwapShort: '9'.repeat(500), SwapTriple: 7 }, [LONG]],
  [{ SwapLong: '-7.51', SwapShort: null, SwapTriple: 'Thursday' }, [LONG]],
  [{ SwapLong: '-7.51', SwapTriple: -1 }, [LONG]],
  [{ SwapLong: '-7.51', SwapTriple: 3.5 }, [LONG]],
  [
    { SwapLong: '0', SwapShort: '-0.0005' },
    [
      [LONG[0] ?? '', '0.00 USD'],
      [SHORT[0] ?? '', '-0.0005 USD'],
    ],
  ],
])('of %j what can be read is shown', async (fields, amounts) => {
  const rows = await shown(fields);
  expect(rows).toEqual([...amounts, ['Next swap, your time', 'Fri, Oct 30, 08:00 PM']]);
});

test.each<[string, object, Feature[]]>([
  ['of a server that does not list it', { SwapLong: '-7.51', SwapShort: '2.89' }, ['hours']],
  ['that is not known', { SwapTriple: 4 }, ['swap']],
  ['that can not be read', { SwapLong: {}, SwapShort: '--' }, ['swap']],
])('nothing is shown of swap %s', async (_, fields, features) => {
  expect(await shown(fields, features)).toEqual([]);
});
