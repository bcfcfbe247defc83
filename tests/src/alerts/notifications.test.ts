import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import type { Order } from '#domain/trading/order';
import { orderEnded } from '../../../src/alerts/notifications';
import { showLanguage } from '../../../src/i18n/i18n';
import { eventually } from '../../helpers/eventually';
import { order } from '../features/sampleOrder';

const ids: string[] = [];

beforeEach(async () => {
  ids.length = 0;
  await showLanguage('en');
  vi.stubGlobal('Notification', { permission: 'granted' });
  const active = { postMessage: ({ id }: { id: string }) => ids.push(id) };
  const serviceWorker = { getRegistration: async () => ({ active }) };
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

test('names each end of an order, as the server does: after a bust it may have a second one', async () => {
  const end = (over: Partial<Order>) =>
    orderEnded({
      type: 'order-closed',
      order: order({ id: 7, status: 'closed', ...over }),
      before: undefined,
    });
  end({ closeReason: 'stop_loss', completedAt: toUnixMs(1000) });
  end({ closeReason: 'stop_loss', completedAt: toUnixMs(2000) });
  end({ closeReason: 'busted', completedAt: toUnixMs(2000) });
  await eventually(() => expect(ids).toEqual(['order-7-1000', 'order-7-2000', 'order-7-busted']));
});
