/** Readers of *Account and common* (protocol.md): undefined for what can't be trusted. */
import { readFields, readInteger, readText } from '../core/read';

export interface AppStatus {
  /** Out of service: the browser is sent to `lossUrl` (§8). */
  lost: boolean;
  /** An https address, or empty. */
  lossUrl: string;
}

export function readAppStatus(value: unknown): AppStatus | undefined {
  const fields = readFields(value);
  const status = readInteger(fields?.['status']);
  if (status === undefined) return undefined;
  const url = readText(fields?.['loss_url']) ?? '';
  return { lost: status !== 0, lossUrl: /^https:\/\//i.test(url) ? url : '' };
}
