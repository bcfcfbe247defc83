import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toText } from '#domain/core/decimal';
import { toUnitsPerLot } from '#domain/core/units';
import { fee, margin } from '#domain/trading/margin';
import { profit } from '#domain/trading/profit';
import { instrument, lots, price, times, usd } from '../support/instruments';

const file = new URL('workedExamples.json', import.meta.url);

type Example = { id: string; published: string } & (
  | { kind: 'margin'; lots: number; units: number; price: number; leverage: number }
  | { kind: 'pnl'; side: 'buy' | 'sell'; lots: number; units: number; open: number; close: number }
  | { kind: 'fee_per_lot' | 'fee_rate'; a: number; b: number }
);

/** More decimals than any example has. */
const UNROUNDED = 20;

function result(example: Example): string {
  switch (example.kind) {
    case 'margin': {
      const contract = instrument({ unitsPerLot: String(example.units) });
      return toText(
        margin(
          contract,
          lots(example.lots),
          price(example.price),
          times(example.leverage),
          UNROUNDED,
        ),
      );
    }
    case 'pnl':
      return toText(
        profit(
          {
            side: example.side,
            lots: lots(example.lots),
            unitsPerLot: toUnitsPerLot(example.units),
            price: price(example.open),
          },
          price(example.close),
        ),
      );
    case 'fee_per_lot': {
      const contract = instrument({ feeRate: String(example.b) });
      return toText(fee(contract, 'per-lot', lots(example.a), price(1), times(1), UNROUNDED));
    }
    case 'fee_rate': {
      // A margin of `a`: one lot of `a` units at fixed margin.
      const contract = instrument({
        unitsPerLot: String(example.a),
        marginMode: 'fixed',
        feeRate: String(example.b),
      });
      return toText(fee(contract, 'rate', lots(1), price(1), times(0), UNROUNDED));
    }
  }
}

describe('worked examples of brokers, as published at their addresses', () => {
  const examples: Example[] = JSON.parse(readFileSync(file, 'utf8'));
  it.each(examples.map((example) => [example.id, example] as const))('%s', (_, example) => {
    expect(result(example)).toBe(toText(usd(example.published)));
  });
});
