import { describe, expect, it } from 'vitest';
import {
  addUp,
  inTurn,
  largeCountInPieces,
  type Piece,
  RARE,
  seed,
  seeds,
  tally,
} from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { History } from './history';
import { former, present, type Release } from './releases';

/** Seeds whose users meet the same servers. */
const TOGETHER = 20;
/** What happens in every hundred seeds. */
const USUAL = [
  ...['taken back', 'pages of the former release', 'pages of the present release'],
  ...['calls in flight as a page was left', 'calls in flight as a server ended', 'lost'],
];

const missing = former ? undefined : 'this clone lacks the commit of the former release';

unless(describe, missing)('clients and servers of two releases', () => {
  const runs = seeds(5, 1000);
  const simulate = ({ from, count }: Piece) => {
    const own = Array.from({ length: count }, (_, index) => seed + from + index);
    return new History(former as Release, present, own).run();
  };
  inTurn(it, RARE)(
    `no order of ${runs} users is lost, or booked twice, while server and pages are replaced`,
    () =>
      largeCountInPieces('users between two releases', runs, TOGETHER, simulate, (told) => {
        const { orders = 0 } = addUp(told.map(({ orders }) => ({ orders })));
        const happened = addUp(told.map(({ happened }) => happened));
        expect(orders).toBeGreaterThan(0);
        if (runs >= 100) for (const what of USUAL) expect(happened[what], what).toBeGreaterThan(0);
        return `${orders} orders, each once, and every page shows what the server has; ${tally(happened)}`;
      }),
    14_400_000,
  );
});
