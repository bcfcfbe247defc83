import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import type { Subscription } from '#domain/api/mining';
import { toUnixMs } from '#domain/core/time';
import { toPercent, toUsd } from '#domain/core/units';
import { SUBSCRIPTION_STATUSES } from '#domain/mining/status';
import { SubscriptionCard } from '../../../../src/features/mining/SubscriptionCard';
import { showLanguage } from '../../../../src/i18n/i18n';
import { renderSettled } from '../../rendering';

beforeEach(() => showLanguage('en'));

const usd = (text: string) => toUsd(text);

function subscription(changes: Partial<Subscription>): Subscription {
  return {
    id: 8,
    status: 'doing',
    amount: usd('1234.56'),
    subscribedAt: toUnixMs(new Date(2026, 0, 31, 12).getTime()),
    endedAt: undefined,
    dayProfit: usd('0.2222'),
    sumProfit: usd('6.666'),
    refusal: '',
    fund: {
      id: 6,
      title: 'Monthly Steady',
      image: '',
      currency: 'USDT',
      lockDays: 30,
      dividendPercentage: toPercent('0.018'),
      minAmount: usd('50'),
      maxAmount: usd('20000'),
      desc: '',
      liquidatedDamages: toPercent('1'),
    },
    ...changes,
  };
}

async function card(changes: Partial<Subscription> = {}) {
  const redeemed: number[] = [];
  const { container } = await renderSettled(
    <MemoryRouter>
      <SubscriptionCard
        subscription={subscription(changes)}
        onRedeem={({ id }) => redeemed.push(id)}
      />
    </MemoryRouter>,
  );
  return {
    redeemed,
    text: container.textContent ?? '',
    button: within(container).getByRole<HTMLButtonElement>('button'),
  };
}

test('a subscription shows its profits with four decimals, and links to its incomes', async () => {
  const { text } = await card();
  expect(text).toContain('1,234.56 USDT');
  expect(text).toContain('+0.2222 USDT');
  expect(text).toContain('+6.6660 USDT');
  expect(text).toContain('Mar 2, 2026');
  expect(screen.getByRole('link').getAttribute('href')).toContain('/mining/income?id=8');
});

test('a redeemed subscription shows the day it ended, not the end of its term', async () => {
  const { text } = await card({
    status: 'refunded',
    endedAt: toUnixMs(new Date(2026, 1, 5, 12).getTime()),
  });
  expect(text).toContain('EndedFeb 5, 2026');
  expect(text).not.toContain('Mar 2, 2026');
});

test.each(SUBSCRIPTION_STATUSES)(
  '%s: only a running subscription can be redeemed (domain.md#subscription-states)',
  async (status) => {
    const { button, redeemed } = await card({ status });
    expect(button.disabled).toBe(status !== 'doing');
    await userEvent.click(button);
    expect(redeemed).toEqual(status === 'doing' ? [8] : []);
  },
);

test('the reason of a refused redemption is shown until the next attempt', async () => {
  const refused = { refusal: 'Too soon' };
  expect((await card(refused)).text).toContain('Your redemption was refused: Too soon');
  expect((await card({ ...refused, status: 'refunding' })).text).not.toContain('Too soon');
  expect((await card()).text).not.toContain('refused');
});
