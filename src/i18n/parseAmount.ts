import type { Decimal } from '#domain/core/decimal';
import type { Message } from '#domain/core/rule';
import { parseNumber } from './numberInput';

/** A typed amount. `value` is undefined where the field is empty or not a number. */
export interface ParsedAmount<T extends Decimal> {
  value: T | undefined;
  problem: Message | undefined;
}

/** Parses typed text with the reader of its unit, as `readUsd`. */
export function parseAmount<T extends Decimal>(
  text: string,
  reader: (value: unknown) => T | undefined,
): ParsedAmount<T> {
  const read = parseNumber(text);
  if (read === undefined) return { value: undefined, problem: { key: 'notANumber' } };
  return { value: reader(read), problem: undefined };
}
