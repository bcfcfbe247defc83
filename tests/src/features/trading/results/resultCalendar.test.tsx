import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HashRouter } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import { timeOf } from '#domain/core/time';
import type { ResultGroup } from '#domain/trading/results';
import { ResultCalendar } from '../../../../../src/features/trading/results/ResultCalendar';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { renderSettled } from '../../../rendering';
import { usd } from '../../sampleOrder';

beforeEach(() => showLanguage('en'));

const day = (date: Date, net: string): ResultGroup => ({
  time: timeOf(date),
  name: '',
  totals: { net: usd(net) } as ResultGroup['totals'],
});

test('a month has the result of each day where it belongs, and others are a button away', async () => {
  const days = [
    day(new Date(2026, 10, 29), '-45.678'),
    day(new Date(2026, 10, 3), '-0.402'),
    day(new Date(2026, 10, 2), '12345.6'),
    day(new Date(2026, 8, 30), '0'),
  ];
  await renderSettled(
    <HashRouter>
      <ResultCalendar days={days} />
    </HashRouter>,
  );
  const table = () => screen.getByRole('table');
  const cells = () => {
    const [, ...rows] = within(table()).getAllByRole('row');
    return rows.map((row) => [...row.children].map(({ textContent }) => textContent));
  };
  const [first, last] = [cells()[0], cells().at(-2)];
  // November 2026 begins on a Sunday, the last day of a week.
  expect(first).toEqual(['', '', '', '', '', '', '1']);
  // No more decimals than cents.
  expect(cells()[1]?.slice(0, 2)).toEqual(['2 +12.3K+', '3 -0.4\u2212']);
  expect(last?.at(-1)).toBe('29 -45.7\u2212');
  expect(screen.getByRole('link', { name: '29 -45.7' }).getAttribute('href')).toBe(
    '#/order?type=3&period=2026-11-29..2026-11-29',
  );
  expect(screen.getByRole('button', { name: 'Next month' })).toHaveProperty('disabled', true);

  const earlier = screen.getByRole('button', { name: 'Previous month' });
  await userEvent.click(earlier);
  expect(screen.getByRole('heading').textContent).toBe('October 2026');
  expect(screen.queryByRole('link')).toBeNull();
  await userEvent.click(earlier);
  expect(screen.getByRole('link', { name: '30 0' })).toBeTruthy();
  expect(earlier).toHaveProperty('disabled', true);
});
