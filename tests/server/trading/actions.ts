import fc from 'fast-check';

/** Stops as distances from price or target in points, positive on the valid side; 0 for none. */
interface Distances {
  loss: number;
  gain: number;
  /** Of a stop-loss that follows the price, in points. */
  trail: number;
  /** Whether they have more decimals than the instrument. */
  fine: boolean;
}

/** When a pending order expires, in ms from now. */
type Expiry = number | undefined;

interface Submit extends Distances {
  do: 'submit';
  user: number;
  on: number;
  buy: boolean;
  pending: boolean;
  /** Percent of the lots that the starting balance covers. */
  lots: number;
  /** Whether the lots are not a multiple of the instrument's step. */
  odd: boolean;
  /** Index in the instrument's list. */
  leverage: number;
  /** Points from the price, for the target and for the quote seen; 0 for a quote not seen. */
  target: number;
  fineTarget: boolean;
  seen: number;
  /** Points; below -20 accepts any slip. */
  deviation: number;
  expires: Expiry;
}

/**
 * Actions of users and the market. Numbers become prices and lots relative to the market at that
 * time.
 */
export type Action =
  | Submit
  | { do: 'close'; user: number; which: number }
  | { do: 'part'; user: number; which: number; percent: number; odd: boolean }
  | { do: 'cancel'; user: number; which: number }
  | { do: 'stops'; user: number; which: number; exits: Distances }
  /** `lots` in percent of what it has, `target` in points from the price. */
  | {
      do: 'amend';
      user: number;
      which: number;
      lots: number;
      target: number;
      exits: Distances;
      expires: Expiry;
    }
  /** A second without a tick. */
  | { do: 'second' }
  /** Hours without a tick; where it is not `settled`, nothing else happens either. */
  | { do: 'night'; hours: number; settled: boolean }
  | { do: 'tick'; moves: { on: number; points: number }[] }
  | { do: 'jump'; on: number; percent: number }
  /** Bid and ask so many points below and above the price, or none. */
  | { do: 'book'; on: number; below: number; above: number; none: boolean }
  | { do: 'open'; on: number; open: boolean }
  | { do: 'reset'; user: number }
  | { do: 'restart' };

const users = fc.integer({ min: 0, max: 1 });
const traded = fc.integer({ min: 1, max: 3 });
const which = fc.nat(40);
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const rarely = fc.integer({ min: 1, max: 20 }).map((n) => n === 20);

const stop = fc.oneof(
  often(5, fc.constant(0)),
  often(5, fc.integer({ min: 1, max: 300 })),
  often(1, fc.integer({ min: -300, max: -1 })),
);
/** Often the same one, which moves no stop-loss back. */
const trail = fc.oneof(
  often(12, fc.constant(0)),
  often(4, fc.constantFrom(50, 150)),
  often(1, fc.constantFrom(-1, 1_000_000)),
);
const exits = fc.record({ loss: stop, gain: stop, trail, fine: rarely });
const signed = fc.integer({ min: -200, max: 200 });
/** Some in the past, some in the millisecond of a tick. */
const expires: fc.Arbitrary<Expiry> = fc.oneof(
  often(6, fc.constant(undefined)),
  often(
    2,
    fc.integer({ min: 1, max: 8 }).map((seconds) => seconds * 1000),
  ),
  often(1, fc.integer({ min: -1, max: 5000 })),
);

const submit: fc.Arbitrary<Submit> = fc
  .record({
    user: users,
    on: fc.oneof(often(20, traded), often(3, fc.integer({ min: 4, max: 6 }))),
    buy: fc.boolean(),
    pending: fc.boolean(),
    lots: fc.oneof(
      often(12, fc.integer({ min: 1, max: 70 })),
      often(1, fc.constantFrom(-1, 0, 100_000)),
    ),
    odd: rarely,
    leverage: fc.oneof(often(9, fc.constant(0)), often(1, fc.integer({ min: 1, max: 3 }))),
    target: signed,
    fineTarget: rarely,
    seen: signed,
    deviation: fc.integer({ min: -300, max: 200 }),
    expires,
  })
  .chain((rest) => exits.map((distances) => ({ do: 'submit' as const, ...rest, ...distances })));

const plain: Submit = {
  ...{ do: 'submit', user: 0, on: 2, buy: true, pending: false, lots: 70, odd: false },
  ...{ leverage: 0, target: 0, fineTarget: false, seen: 0, deviation: -300 },
  ...{ loss: 0, gain: 0, trail: 0, fine: false, expires: undefined },
};

const waiting: Submit = { ...plain, user: 1, on: 1, pending: true, lots: 1, target: -100 };
const amendment: Extract<Action, { do: 'amend' }> = {
  ...{ do: 'amend', user: 1, which: 1, lots: 100, target: 0, expires: undefined },
  exits: { loss: 0, gain: 0, trail: 0, fine: false },
};

/**
 * What few random sequences meet, which a seed may lack: a margin of nothing, a part, a loss that leaves nothing free for a
 * target reached meanwhile, a gap that costs more than there is, and an order that is amended onto the price.
 */
export const SELDOM: Action[] = [
  { ...plain, on: 6, lots: 10 },
  { ...plain, on: 3, lots: 10, trail: 50 },
  { do: 'night', hours: 30, settled: false },
  { do: 'part', user: 0, which: 3, percent: 50, odd: false },
  { do: 'tick', moves: [{ on: 3, points: 100 }] },
  { ...plain, on: 1, pending: true, lots: 1, target: -100 },
  plain,
  { do: 'jump', on: 2, percent: -3 },
  { do: 'tick', moves: [{ on: 1, points: -150 }] },
  { do: 'jump', on: 2, percent: -12 },
  { ...waiting, expires: -1 },
  waiting,
  { ...amendment, lots: 200, target: 50 },
  { ...amendment, target: 0 },
];

/** Mostly valid, some invalid. */
export const actions: fc.Arbitrary<Action> = fc.oneof(
  often(10, submit),
  often(
    2,
    fc
      .record({ user: users, which })
      .map(
        ({ user, which }): Action =>
          which % 3 > 0
            ? { do: 'close', user, which }
            : { do: 'part', user, which, percent: which * 3, odd: which === 39 },
      ),
  ),
  often(2, fc.record({ do: fc.constant('cancel' as const), user: users, which })),
  often(2, fc.record({ do: fc.constant('stops' as const), user: users, which, exits })),
  often(
    3,
    fc.record({
      do: fc.constant('amend' as const),
      user: users,
      which,
      lots: fc.oneof(fc.constant(100), fc.integer({ min: 0, max: 400 })),
      target: fc.oneof(often(5, signed), often(1, fc.constant(0))),
      exits,
      expires,
    }),
  ),
  often(1, fc.constant({ do: 'second' as const })),
  often(
    2,
    fc.record({
      do: fc.constant('night' as const),
      hours: fc.integer({ min: 1, max: 60 }),
      settled: fc.boolean(),
    }),
  ),
  often(
    8,
    fc
      .array(fc.record({ on: traded, points: fc.integer({ min: -250, max: 250 }) }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((moves) => ({ do: 'tick' as const, moves })),
  ),
  often(
    4,
    fc.record({
      do: fc.constant('jump' as const),
      on: traded,
      percent: fc.integer({ min: -12, max: 12 }),
    }),
  ),
  often(
    3,
    fc.record({
      do: fc.constant('book' as const),
      on: traded,
      below: fc.integer({ min: -3, max: 30 }),
      above: fc.integer({ min: -3, max: 30 }),
      none: rarely,
    }),
  ),
  often(
    1,
    fc.record({
      do: fc.constant('open' as const),
      on: traded,
      open: fc.constantFrom(true, true, true, true, false),
    }),
  ),
  often(1, fc.record({ do: fc.constant('reset' as const), user: users })),
  often(1, fc.constant({ do: 'restart' as const })),
);
