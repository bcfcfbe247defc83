import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import { failed, type Result, success } from '#domain/core/result';
import { secondOf, toUnixMs } from '#domain/core/time';
import type { PracticeFrame, PracticeRequest, PracticeState } from '#domain/worker/practice';
import { LiveChart } from '../../../../../src/features/trading/chart/liveChart';
import { PracticeScreen } from '../../../../../src/features/trading/practice/PracticeScreen';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { instrument } from '../../../../../src/preferences/instrument';
import { toasts } from '../../../../../src/ui/toastStore';
import { practiceState } from '../../../../../src/worker/practice';
import { renderSettled, settle } from '../../../rendering';
import { listRow, quoteNumbers, scriptWorkerApi } from '../../../scriptedWorkerApi';
import { EURUSD, order, price, usd } from '../../sampleOrder';

// The library of the chart needs a canvas.
vi.mock('../../../../../src/features/trading/chart/candleChart', () => ({
  createCandleChart: () => new Promise(() => {}),
}));

const DAY = toUnixMs(Date.UTC(2026, 5, 3));
const PLAYED: PracticeState = {
  id: 1,
  instrument: { ...EURUSD, id: -1 },
  ...{ period: '1min', time: DAY, bars: 2, total: 1440, speed: undefined, isOver: false },
  swap: false,
  start: '10000',
  account: {
    ...{ balance: '10000', lockBalance: '0', marginInUse: '110', profit: '-2.5' },
    ...{ equity: '9997.5', available: '9887.5', riskRate: '1.1', marginLevel: '9000' },
    stopOutPrices: {},
  },
  open: [],
  closed: [],
};

beforeEach(async () => {
  practiceState.value = undefined;
  toasts.value = [];
  instrument.value = 'EURUSD';
  await showLanguage('en');
});

async function shown(state: PracticeFrame['practice']) {
  const worker = scriptWorkerApi([listRow(1, { instrument: EURUSD })], { silent: true });
  const asked: PracticeRequest[] = [];
  const answers: Partial<Record<PracticeRequest['do'], Result<void>>> = {};
  async function answer(request: PracticeRequest): Promise<Result<void>> {
    asked.push(request);
    return answers[request.do] ?? success(undefined);
  }
  worker.scripted.practice = answer;
  worker.scripted.row = async () => listRow(1, { instrument: EURUSD });
  const page = await renderSettled(
    <MemoryRouter initialEntries={['/practice']}>
      <PracticeScreen />
    </MemoryRouter>,
  );
  const frame = (practice: PracticeFrame['practice']) =>
    act(async () => worker.frame(practice === undefined ? {} : { practice }));
  await frame(state);
  await settle();
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  return { ...worker, page, asked, answers, frame, press };
}

test('a day is chosen, of which the failure is said', async () => {
  const { asked, answers, press } = await shown(null);
  expect(asked).toEqual([{ do: 'show' }]);
  const day = screen.getByLabelText<HTMLInputElement>('Day (UTC)');
  expect([0, 6]).not.toContain(new Date(day.value).getUTCDay());
  expect(day.value <= day.max).toBe(true);
  answers.start = failed({ kind: 'invalid', message: { key: 'noBarsOfDay' } });
  await press('Start');
  expect(asked.at(-1)).toEqual({
    ...{ do: 'start', instrumentId: 1, days: 1, balance: '10000' },
    day: Date.parse(day.value),
  });
  expect(toasts.peek()).toMatchObject([{ tone: 'error', text: { kind: 'invalid' } }]);
  const { max } = day;
  await userEvent.click(screen.getByRole('radio', { name: '5 days' }));
  // The last of them is over.
  expect(Date.parse(max) - Date.parse(day.max)).toBe(4 * 86_400_000);
  expect(day.value <= day.max).toBe(true);
  await press('Start');
  expect(asked.at(-1)).toMatchObject({ days: 5, day: Date.parse(day.value) });
  const balance = screen.getByLabelText('Starting balance');
  await userEvent.clear(balance);
  await userEvent.type(balance, '0');
  expect(screen.getByText('At least 1 USD')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Start' }).disabled).toBe(true);
});

test('the times of the chart follow the device to another time zone', async () => {
  const show = vi.spyOn(LiveChart.prototype, 'show');
  vi.stubEnv('TZ', 'Europe/London');
  await shown(PLAYED);
  const time = () => show.mock.lastCall?.[1].clock.full(secondOf(DAY));
  expect(time()).toContain('01:00');
  vi.stubEnv('TZ', 'America/New_York');
  await act(async () => document.dispatchEvent(new Event('visibilitychange')));
  expect(time()).toContain('20:00');
  vi.unstubAllEnvs();
});

test('a session says that it is practice, and is played by its buttons', async () => {
  const { asked, press, frame, quotes, page } = await shown(PLAYED);
  expect(screen.getByText('Practice: virtual money, no real orders')).toBeTruthy();
  expect(screen.getByText('2 / 1,440')).toBeTruthy();
  expect(screen.getByText('9,997.50')).toBeTruthy();
  quotes(quoteNumbers(-1, 1.25));
  expect(page.container.textContent).toContain('1.25');
  await press('Next bar');
  await userEvent.click(screen.getByRole('radio', { name: '10×' }));
  await press('Play');
  await frame({ ...PLAYED, speed: 10 });
  await userEvent.click(screen.getByRole('radio', { name: '1×' }));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next bar' }).disabled).toBe(true);
  await press('Pause');
  expect(asked.slice(-4)).toEqual([
    { do: 'bar' },
    { do: 'play', speed: 10 },
    { do: 'play', speed: 1 },
    { do: 'pause' },
  ]);
  await frame({ ...PLAYED, open: [order({ id: -1, instrumentId: -1, status: 'holding' })] });
  const list = screen.getByRole('list', { name: 'Orders' });
  expect(list.textContent).toContain('Buy');
  await act(async () => page.unmount());
  expect(asked.at(-1)).toEqual({ do: 'leave' });
});

test('the result of a session that is over is that of its trades', async () => {
  const ended = { status: 'closed', completedAt: DAY, price: price('1.1') } as const;
  const trades = [
    order({ ...ended, id: -1, profit: usd('30'), fee: usd('1'), closeReason: 'take_profit' }),
    order({ ...ended, id: -2, profit: usd('-10'), fee: usd('1'), closeReason: 'stop_loss' }),
    order({ ...ended, id: -3, price: price(0), profit: usd(0), closeReason: 'cancelled' }),
  ];
  const { asked, press } = await shown({ ...PLAYED, isOver: true, closed: trades });
  const result = screen.getByRole('region', { name: 'Session result' });
  expect(result.textContent).toContain('+18.00 USD');
  expect(result.textContent).toContain('50.0%');
  expect(result.textContent).toContain('2.64');
  expect(screen.queryByRole('button', { name: 'Buy' })).toBeNull();
  await press('New session');
  expect(asked.at(-1)).toEqual({ do: 'forget' });
});

test('its nights are told in the result where they are charged', async () => {
  const ended = { status: 'closed', completedAt: DAY, price: price('1.1') } as const;
  const trade = order({ ...ended, id: -1, profit: usd('30'), fee: usd('1'), swap: usd('-2.5') });
  await shown({ ...PLAYED, isOver: true, swap: true, closed: [trade] });
  const result = screen.getByRole('region', { name: 'Session result' });
  expect(result.textContent).toContain('+26.50 USD');
  expect(result.textContent).toContain('Swap-2.50 USD');
});

test('a session that another tab plays says so, and is taken from it when that is wanted', async () => {
  const { asked, press, frame } = await shown('elsewhere');
  expect(screen.getByText('Practice is open in another tab')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Start' })).toBeNull();
  await press('Play here');
  expect(asked.at(-1)).toEqual({ do: 'take' });
  await frame(PLAYED);
  expect(screen.getByText('2 / 1,440')).toBeTruthy();
});
