import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { Expiries } from '#domain/trading/expiries';
import type { OrderState } from '#domain/trading/orderState';

const orderOf = (id: number, until: number | null) =>
  ({ id, until: until === null ? null : toUnixMs(until) }) as OrderState;

describe('the orders that expire', () => {
  const id = fc.integer({ min: 1, max: 8 });
  const time = fc.integer({ min: 1, max: 6 });
  const change = fc.oneof(
    fc.record({ id, until: fc.option(time) }),
    fc.record({ id, until: fc.constant(undefined) }),
  );

  it('are those whose time has come, by id, after any changes', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), time, (changes, at) => {
        const expiries = new Expiries();
        const held = new Map<number, number>();
        for (const { id, until } of changes) {
          if (until === undefined) expiries.delete(id);
          else expiries.put(orderOf(id, until));
          if (until == null) held.delete(id);
          else held.set(id, until);
        }
        const due = [...held].filter(([, until]) => until <= at).map(([id]) => id);
        expect(expiries.due(toUnixMs(at)).map(({ id }) => id)).toEqual(due.sort((a, b) => a - b));
        expect(expiries.isDue(toUnixMs(at))).toBe(due.length > 0);
      }),
    );
  });

  it('may be more than a call has arguments', () => {
    const expiries = new Expiries();
    for (let id = 1; id <= 200_000; id++) expiries.put(orderOf(id, 1000));
    expect(expiries.isDue(toUnixMs(999))).toBe(false);
    expect(expiries.due(toUnixMs(1000))).toHaveLength(200_000);
  });
});
