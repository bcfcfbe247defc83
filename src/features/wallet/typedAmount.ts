import { type Decimal, parseDecimal } from '#domain/core/decimal';
import type { Message } from '#domain/core/rule';
import { readTyped } from '../../i18n/typed';

/** An amount as it was typed: undefined where there is nothing, or nothing that is a number. */
export interface TypedAmount {
  value: Decimal | undefined;
  problem: Message | undefined;
}

export function typedAmount(text: string): TypedAmount {
  const read = readTyped(text);
  if (read === undefined) return { value: undefined, problem: { key: 'notANumber' } };
  return { value: parseDecimal(read), problem: undefined };
}
