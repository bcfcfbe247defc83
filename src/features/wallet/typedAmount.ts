import type { Decimal } from '#domain/core/decimal';
import type { Message } from '#domain/core/rule';
import { readTyped } from '../../i18n/typed';

/** A typed amount. `value` is undefined where the field is empty or not a number. */
export interface TypedAmount<T extends Decimal> {
  value: T | undefined;
  problem: Message | undefined;
}

/** Parses typed text with the reader of its unit, as `readUsd`. */
export function typedAmount<T extends Decimal>(
  text: string,
  reader: (value: unknown) => T | undefined,
): TypedAmount<T> {
  const read = readTyped(text);
  if (read === undefined) return { value: undefined, problem: { key: 'notANumber' } };
  return { value: reader(read), problem: undefined };
}
