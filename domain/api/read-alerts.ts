/** Readers of price alerts (protocol.md#alerts): undefined for what can't be trusted. */
import { sign, ZERO } from '../core/decimal';
import { readFields, readInteger, readIsoTime, readText } from '../core/read';
import { readPrice } from '../core/readAmounts';
import { LATEST_MS, toUnixMs, type UnixMs } from '../core/time';
import type { Alert } from '../trading/alert';

/** An alert as the server sends it: it does not say how its instrument is called. */
export type ReadAlert = Omit<Alert, 'name' | 'precision'>;

export function readAlert(row: unknown): ReadAlert | undefined {
  const fields = readFields(row);
  const id = readInteger(fields?.['Id']);
  const code = readText(fields?.['Code']);
  const price = readPrice(fields?.['Price']);
  if (!fields || id === undefined || id <= 0 || !code || !price || sign(price) <= 0)
    return undefined;
  return {
    id,
    code,
    price,
    above: isSet(fields['Above']),
    repeat: isSet(fields['Repeat']),
    note: readText(fields['Note']) ?? '',
    until: readTime(fields['Until']),
    createdAt: readTime(fields['CreatedAt']) ?? toUnixMs(0),
    triggeredAt: readTime(fields['TriggeredAt']),
    triggerPrice: readPrice(fields['TriggerPrice']) ?? ZERO,
  };
}

/** 1 or true. */
function isSet(value: unknown): boolean {
  return value === true || readInteger(value) === 1;
}

/** Unix ms or ISO 8601; 0 and an empty text are none. */
function readTime(value: unknown): UnixMs | undefined {
  const time = readInteger(value) ?? readIsoTime(value);
  return time !== undefined && time > 0 && time <= LATEST_MS ? toUnixMs(time) : undefined;
}
