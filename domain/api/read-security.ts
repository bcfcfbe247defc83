/** Readers of devices and of the second factor (protocol.md#second-factor): undefined for what can't be trusted. */
import type { Device, Enrolment } from '../account/security';
import { readFields, readInteger, readIsoTime, readRows, readText } from '../core/read';

export function readEnrolment(value: unknown): Enrolment | undefined {
  const fields = readFields(value);
  const secret = readText(fields?.['secret']) ?? '';
  const uri = readText(fields?.['uri']) ?? '';
  return secret && /^otpauth:\/\/totp\//.test(uri) ? { secret, uri } : undefined;
}

export function readRecoveryCodes(value: unknown): string[] | undefined {
  return readRows(readFields(value)?.['recovery'], readText);
}

export function readDevice(row: unknown): Device | undefined {
  const fields = readFields(row);
  const id = readInteger(fields?.['id']);
  if (id === undefined) return undefined;
  return {
    id,
    name: readText(fields?.['device']) ?? '',
    createdAt: readIsoTime(fields?.['created_at']),
    usedAt: readIsoTime(fields?.['used_at']),
    current: readInteger(fields?.['current']) === 1,
  };
}

/** The document of export, as the text of a file. */
export function readExport(value: unknown): string | undefined {
  return readFields(value) && JSON.stringify(value, undefined, 2);
}
