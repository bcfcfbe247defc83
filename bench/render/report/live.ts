import { estimate } from '../../lib/statistics';
import type { LiveResult, LiveRound } from '../../live/result';
import { interval, table } from './table';

/** The server behind a live exchange. */
export function live({ machine, at, pairs, trades, seconds, rounds }: LiveResult): string {
  const found = (value: (round: LiveRound) => number) => interval(estimate(rounds.map(value)));
  return [
    '## The server behind a live exchange',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}; ${at.slice(0, 10)}; ${rounds.length} ${rounds.length === 1 ? 'round' : 'rounds'} of ${seconds} s each.
The fake exchange of the tests speaks as Kraken does: ${pairs} pairs, ${trades} trades and as many changes of the best prices a second. The server
has a new database and no users. Beside it a program that only receives and parses the same.`,
    table(
      ['CPU a message, µs', 'server', 'receive and parse', 'ratio'],
      [
        [
          'of trades and best prices',
          found(({ server }) => server),
          found(({ floor }) => floor),
          found(({ server, floor }) => server / floor),
        ],
      ],
    ),
  ].join('\n\n');
}
