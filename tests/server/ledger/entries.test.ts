import { expect, it } from 'vitest';
import { toText, ZERO } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import type { Movement } from '#domain/trading/movement';
import type { OrderState } from '#domain/trading/orderState';
import { ENTRY_TYPES, type Entry, entriesOf, isEmpty } from '../../../server/ledger/entries';
import { usd } from '../../domain/support/instruments';

const order = { id: 12, userId: 7, name: 'EUR/USD', splitFrom: null } as OrderState;
const part = { ...order, splitFrom: 5 };
const midnight = toUnixMs(Date.UTC(2026, 0, 6));
const reversed = { margin: usd('110'), profit: usd('-3'), fee: usd('7'), swap: ZERO };

/** In one line: kind, order, what a user reads beside the order, and what goes where. */
function lineOf({ kind, orderId, params, legs }: Entry): string {
  const { order: id, name, ...more } = params;
  const named = id === undefined ? '' : ` ${id} ${name}`;
  const told = Object.values(more).map((each) => ` ${each}`);
  const moved = legs.map((leg) => ` ${leg.owner} ${leg.kind} ${toText(leg.amount)}`);
  return `${kind} ${orderId}:${named}${told.join('')};${moved.join(',')}`;
}

it.each<[Movement, string[]]>([
  [
    { kind: 'frozen', order, amount: usd('-110') },
    ['frozen 12: 12 EUR/USD; 7 available -110, 7 margin 110'],
  ],
  [
    { kind: 'released', order, amount: usd('110') },
    ['released 12: 12 EUR/USD; 7 margin -110, 7 available 110'],
  ],
  [
    { kind: 'fill_refused', order, amount: usd('110') },
    ['fill_refused 12: 12 EUR/USD; 7 margin -110, 7 available 110'],
  ],
  [{ kind: 'fee', order, amount: usd('-7') }, ['fee 12: 12 EUR/USD; 0 fees 7, 7 available -7']],
  [
    { kind: 'swap', order: part, amount: usd('-2'), midnight },
    ['swap 5: 12 EUR/USD 2026-01-06; 0 swaps 2, 7 available -2'],
  ],
  [
    { kind: 'profit', order, amount: usd('3') },
    ['profit 12: 12 EUR/USD; 0 trading -3, 7 available 3'],
  ],
  [
    { kind: 'lifted', order, amount: usd('4') },
    ['lifted 12: 12 EUR/USD; 0 write_offs -4, 7 available 4'],
  ],
  [
    { kind: 'unlifted', order, amount: usd('-4') },
    ['unlifted 12: 12 EUR/USD; 0 write_offs 4, 7 available -4'],
  ],
  [{ kind: 'reset', userId: 7, amount: usd('9') }, ['reset 0:; 0 capital -9, 7 available 9']],
  [
    { kind: 'busted', order, reversed, reason: 'a false price' },
    ['busted 12: 12 EUR/USD a false price; 7 margin -110, 7 available 114, 0 trading 3, 0 fees -7'],
  ],
  [
    { kind: 'adjusted', order: part, reversed, reason: 'a false price' },
    [
      'adjusted 12: 12 EUR/USD a false price; 7 margin -110, 7 available 107, 0 trading 3',
      'adjusted 5: 12 EUR/USD a false price; 0 fees -7, 7 available 7',
    ],
  ],
] as [Movement, string[]][])('what matching moves is posted: %#', (movement, lines) => {
  expect(entriesOf(movement).map(lineOf)).toEqual(lines);
});

it('what moves nothing on any account is empty', () => {
  const legs = (...amounts: string[]) => ({
    ...{ kind: 'fee' as const, orderId: 1, params: {} },
    legs: amounts.map((amount) => ({ owner: 7, kind: 'available' as const, amount: usd(amount) })),
  });
  expect([isEmpty(legs('0', '0')), isEmpty(legs('0', '1')), isEmpty(legs())]).toEqual([
    ...[true, false, true],
  ]);
});

it('the types of records are those of the wire', () => {
  expect(ENTRY_TYPES).toMatchObject({ funded: 1, fee: 4, profit: 5, swap: 19, adjusted: 21 });
});
