import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Order } from '#domain/trading/order';
import { showLanguage } from '../../../src/i18n/i18n';
import { confirmClosed, notifyOrderEnded } from '../../../src/positions/notifyOrderEnded';
import { toasts } from '../../../src/ui/toastStore';
import { order, price, usd } from '../features/sampleOrder';

beforeEach(async () => {
  toasts.value = [];
  await showLanguage('en');
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const end = (over: Partial<Order>, before?: Order) =>
  notifyOrderEnded({ type: 'order-closed', order: order({ status: 'closed', ...over }), before });
const waiting = order({ status: 'pending', originPrice: price('1.2'), updatePrice: price('1.1') });
const reached = { closeReason: 'cancelled', updatePrice: price('1.2') } as const;

function shownToasts() {
  vi.runAllTimers();
  return toasts.value.map(({ tone, text }) => [tone, text]);
}

test('shows an order that the market closed, with its profit less the fee', () => {
  end({ closeReason: 'take_profit', profit: usd('12.345678') });
  end({ closeReason: 'stop_out', profit: usd('-99') });
  vi.runAllTimers();
  end({ closeReason: 'delisted', profit: usd('2') });
  vi.runAllTimers();
  end({ closeReason: 'busted', profit: usd('0'), fee: usd('0') });
  expect(shownToasts()).toEqual([
    ['info', 'Take-profit: Buy 0.1 lots of EUR/USD, +12.15 USD'],
    ['error', 'Stop-out: Buy 0.1 lots of EUR/USD, -99.20 USD'],
    ['info', 'Delisted: Buy 0.1 lots of EUR/USD, +1.80 USD'],
    ['info', 'Voided by the broker: Buy 0.1 lots of EUR/USD, 0.00 USD'],
  ]);
});

test.each(['Order closed', 'Order closed.'])(
  'adds the net result to a confirmation: %s',
  (text) => {
    confirmClosed(text, order({ status: 'closed', closeReason: 'user', profit: usd('-3.456') }));
    expect(shownToasts()).toEqual([['info', 'Order closed: Buy 0.1 lots of EUR/USD, -3.66 USD']]);
  },
);

test('shows nothing for an order that the user closed', () => {
  for (const closeReason of ['user', 'cancelled', 'reset', ''] as const) end({ closeReason });
  expect(shownToasts()).toEqual([]);
});

test('shows a pending order that was cancelled for want of balance', () => {
  end({ closeReason: 'cancelled' }, waiting);
  end(
    { closeReason: 'cancelled', updatePrice: price('0') },
    { ...waiting, originPrice: price('1') },
  );
  end(reached, waiting);
  expect(shownToasts()).toEqual([
    ['error', 'Not filled, insufficient funds: Buy 0.1 lots of EUR/USD'],
  ]);
});

test('shows pending orders that have expired, many of them as one', () => {
  end({ closeReason: 'expired' });
  vi.runAllTimers();
  for (let n = 0; n < 3; n++) end({ closeReason: 'expired' });
  end(reached, waiting);
  expect(shownToasts()).toEqual([
    ['info', 'Expired, not filled: Buy 0.1 lots of EUR/USD'],
    ['error', 'Not filled, insufficient funds: Buy 0.1 lots of EUR/USD'],
    ['info', '3 pending orders expired'],
  ]);
});

test('shows many orders closed together as one toast of each kind, with the sum', () => {
  for (let count = 0; count < 40; count++) {
    end({ closeReason: 'stop_loss', profit: usd('-1.005') });
    end(reached, waiting);
  }
  expect(shownToasts()).toEqual([
    ['info', '40 orders closed by the market: -48.20 USD in total'],
    ['error', '40 pending orders were not filled: insufficient funds'],
  ]);
  end({ closeReason: 'stop_loss', profit: usd('-1') });
  expect(shownToasts()).toHaveLength(3);
});
