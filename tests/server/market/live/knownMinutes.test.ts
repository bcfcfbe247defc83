import { describe, expect, it } from 'vitest';
import { toUnixMs, toUnixSeconds } from '#domain/core/time';
import { toPrice } from '#domain/core/units';
import type { AlertState } from '../../../../server/alerts/alertState';
import { missedBy } from '../../../../server/alerts/missedCrossing';
import { KnownMinutes } from '../../../../server/market/live/knownMinutes';

const M0 = 1_700_000_040;
const bar = (minute: number, open: number, high: number, low: number, close: number) => ({
  time: toUnixSeconds(M0 + 60 * minute),
  ...{ open, high, low, close, volume: 1 },
});
/** In seconds after the first minute's start. */
const at = (second: number) => toUnixMs((M0 + second) * 1000);

function known(...bars: ReturnType<typeof bar>[]): KnownMinutes {
  const minutes = new KnownMinutes();
  for (const each of bars) minutes.add(each);
  return minutes;
}

describe('the known minutes of an instrument', () => {
  const minutes = known(bar(0, 10, 14, 9, 11), bar(1, 11, 12, 5, 6), bar(3, 6, 8, 6, 7));

  it('tell the range of whole minutes', () => {
    expect(minutes.range(at(-1), at(240))).toEqual({ low: 5, high: 14 });
    expect(minutes.range(at(59), at(240))).toEqual({ low: 5, high: 12 });
    expect(minutes.range(at(61), at(240))).toEqual({ low: 6, high: 8 });
    expect(minutes.range(at(181), at(240))).toBeUndefined();
    expect(minutes.range(at(-60), at(0))).toBeUndefined();
  });

  it('tell nothing of the minute in which the time asked for lies: it may have been before', () => {
    expect(minutes.range(at(30), at(60))).toBeUndefined();
    expect(minutes.range(at(0.5), at(60))).toBeUndefined();
  });

  it('replace a minute that is told again, and take one that comes late', () => {
    const again = known(bar(0, 10, 11, 9, 10), bar(3, 6, 8, 6, 7), bar(1, 1, 2, 1, 2));
    again.add(bar(0, 10, 20, 9, 10));
    expect(again.range(at(-1), at(60))).toEqual({ low: 9, high: 20 });
    expect(again.range(at(59), at(180))).toEqual({ low: 1, high: 2 });
  });

  it('keep two days', () => {
    const many = known(...Array.from({ length: 3_000 }, (_, n) => bar(n, 10, 10 + n, 10, 10)));
    expect(many.range(at(-1), at(119 * 60))).toBeUndefined();
    expect(many.range(at(-1), at(3_000 * 60))).toEqual({ low: 10, high: 3009 });
  });

  const alert = (price: number, waits: AlertState['waits'], since: number) =>
    ({
      instrumentId: 1,
      price: toPrice(price),
      waits,
      repeat: false,
      since: at(since),
    }) as AlertState;
  const market = {
    priceRange: (_id: number, since = at(0), until = at(240)) => minutes.range(since, until),
  };

  it('tell an alert what it has missed: the first crossing, and the side on which the price is now', async () => {
    // The minute closes above its open: it counts as open, low, high, close.
    expect(await missedBy(market, alert(13, 'rise', -30), at(240))).toEqual({
      crossing: { price: toPrice(14), time: at(0.002) },
      waits: 'rise',
    });
    expect(await missedBy(market, alert(5.5, 'fall', -30), at(240))).toMatchObject({
      crossing: { price: toPrice(5), time: at(60.002) },
      waits: 'fall',
    });
    expect((await missedBy(market, alert(13, 'rise', 30), at(240))).crossing).toBeUndefined();
    expect((await missedBy(market, alert(15, 'rise', -30), at(240))).crossing).toBeUndefined();
  });
});
