import { lots } from '../../domain/support/instruments';
import { market, pending } from './testTrading';
import type { TwoUsers } from './twoUsers';

export interface KilledScene {
  /** What was done before. */
  given(users: TwoUsers): Promise<void>;
  /** Done again it changes nothing: its calls have their keys, its prices are the present ones. */
  act(users: TwoUsers): Promise<unknown>;
  /** Why each order has ended then, or its state. */
  becomes: readonly string[];
  /** It has several transactions: where only one is cut off, the other comes first. */
  inParts?: true;
}

const DAY = 86_400_000;

async function bothHold(users: TwoUsers): Promise<void> {
  await users.place(0, market({ lots: '2' }));
  await users.place(1, market({ lots: '0.03', side: 'sell' }));
}

async function bothHoldFor(users: TwoUsers, days: number): Promise<void> {
  await bothHold(users);
  users.market.pass(days * DAY);
}

/** The first order, or a part of it, is closed before, by a call that nobody repeats. */
async function firstCloses({ trading, ids }: TwoUsers, part = '0'): Promise<void> {
  await trading.run((work) => trading.engine.close(work, ids[0] as number, 1, lots(part)));
}

/** What a process may be doing when it is killed, by what that is. */
export const KILLED_SCENES: Readonly<Record<string, KilledScene>> = {
  'an amendment': {
    given: (users) => users.place(0, pending('1.05')),
    act: (users) => users.amend(1, 1, { size: '2', target: '1.06' }),
    becomes: ['pending'],
  },
  'an amendment that returns margin': {
    given: (users) => users.place(0, pending('1.05', { lots: '3' })),
    act: (users) => users.amend(1, 1, { target: '0.9' }),
    becomes: ['pending'],
  },
  'an amendment onto the price': {
    given: (users) => users.place(0, pending('1.05')),
    act: (users) => users.amend(1, 1, { target: '1.1' }),
    becomes: ['holding'],
  },
  'an amendment that is refused': {
    given: (users) => users.place(0, pending('1.05')),
    act: (users) => users.amend(1, 1, { size: '500' }),
    becomes: ['pending'],
  },
  'an amendment after a night': {
    async given(users) {
      await users.place(0, pending('1.05'));
      await bothHoldFor(users, 1);
    },
    act: (users) => users.amend(1, 1, { size: '2' }),
    becomes: ['pending', 'holding', 'holding'],
  },
  'an amendment before the fill at its old price': {
    given: (users) => users.place(0, pending('1.05')),
    act: (users) => Promise.all([users.amend(1, 1, { target: '1.02' }), users.tick(1.05)]),
    inParts: true,
    becomes: ['pending'],
  },
  'an amendment after the fill at its old price': {
    given: (users) => users.place(0, pending('1.05')),
    act: (users) => Promise.all([users.tick(1.05), users.amend(1, 1, { target: '1.02' })]),
    inParts: true,
    becomes: ['holding'],
  },
  'calls that share a transaction': {
    async given(users) {
      await users.place(0, pending('1.05'));
      await users.place(0, pending('1.04'));
      await users.place(1, pending('1.03'));
    },
    act: (users) =>
      Promise.all([
        users.amend(1, 1, { size: '2' }),
        users.amend(2, 2, { target: '1.1' }),
        users.amend(3, 1, { size: '3', target: '1.02' }),
        users.cancel(4, 1, 3),
        users.submit(5, 1, market()),
      ]),
    becomes: ['pending', 'holding', 'cancelled', 'holding'],
  },
  'an expiry at the tick that would fill, beside a fill': {
    async given(users) {
      await users.placeExpiring(0);
      await users.place(1, pending('1.05'));
      await users.placeExpiring(1);
    },
    act: (users) => users.tick(1.05),
    becomes: ['expired', 'holding', 'expired'],
  },
  'an expiry without a tick': {
    async given(users) {
      await users.placeExpiring(0);
      users.market.pass(1_000);
    },
    act: ({ trading }) => trading.engine.settleNow(),
    becomes: ['expired'],
  },
  'nights at a tick': {
    given: (users) => bothHoldFor(users, 3),
    act: (users) => users.tick(1.1),
    becomes: ['holding', 'holding'],
  },
  'nights without a tick': {
    given: (users) => bothHoldFor(users, 1),
    act: ({ trading }) => trading.engine.settleNow(),
    becomes: ['holding', 'holding'],
  },
  'a night, an expiry, a fill and a stop at one tick': {
    async given(users) {
      await users.placeExpiring(0);
      await users.place(1, pending('1.05'));
      await users.place(1, market({ stopLoss: '1.06' }));
      await bothHoldFor(users, 1);
    },
    act: (users) => users.tick(1.05),
    becomes: ['expired', 'holding', 'stop_loss', 'holding', 'holding'],
  },
  'a close that pays a night first': {
    given: (users) => bothHoldFor(users, 1),
    act: (users) => users.close(1, 1),
    becomes: ['user', 'holding'],
  },
  'a part that takes its share of a night': {
    given: (users) => bothHoldFor(users, 1),
    act: (users) => users.close(1, 1, '0.77'),
    becomes: ['holding', 'holding', 'user'],
  },
  'a bust of a position, and of a close': {
    async given(users) {
      await bothHold(users);
      await firstCloses(users, '0.5');
    },
    act: (users) => users.bust(0),
    becomes: ['busted', 'holding', 'busted'],
  },
  'a bust that opens a position again': {
    async given(users) {
      await bothHold(users);
      users.market.pass(DAY);
      await firstCloses(users);
    },
    act: (users) => users.bust(0, DAY),
    becomes: ['holding', 'holding'],
  },
  'a correction of fills': {
    async given(users) {
      await bothHold(users);
      await firstCloses(users, '0.5');
    },
    act: (users) => users.bust(0, 0, '1.07'),
    becomes: ['holding', 'holding', 'user'],
  },
};
