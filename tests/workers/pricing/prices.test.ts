import { expect, it } from 'vitest';
import type { Instruments } from '../../../workers/market/instruments';
import type { QuoteListener, Slot } from '../../../workers/market/quotes';
import { createPrices } from '../../../workers/pricing/prices';

it('an instrument is followed at the slot that the list gives it, also after a while', () => {
  let slot: Slot | undefined;
  const listeners = new Map<Slot, QuoteListener>();
  const instruments = {
    list: { slot: () => slot },
    quotes: {
      listen(at: Slot, listener: QuoteListener) {
        listeners.set(at, listener);
        return () => listeners.delete(at);
      },
    },
    subscription: { retain: () => () => {} },
  };
  let moved = 0;
  const prices = createPrices(instruments as unknown as Instruments, () => undefined);
  const followed = prices.follow(1, () => moved++);
  expect([...listeners.keys()]).toEqual([]);
  for (const next of [3, 5]) {
    slot = next;
    prices.allMoved();
    expect([...listeners.keys()]).toEqual([next]);
  }
  const before = moved;
  listeners.get(5)?.(5);
  expect(moved).toBe(before + 1);
  followed.release();
  expect([...listeners.keys()]).toEqual([]);
});
