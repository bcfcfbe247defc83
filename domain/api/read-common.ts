/** Readers of what is asked for before anyone logs in (protocol.md#account-calls): undefined for what can't be trusted. */
import { readFields, readInteger, readText } from '../core/read';

export interface AppStatus {
  /** Out of service: the browser is sent to `lossUrl` (protocol.md#app-status). */
  lost: boolean;
  /** An http or https address; empty where there is none. */
  lossUrl: string;
}

export function readAppStatus(value: unknown): AppStatus | undefined {
  const fields = readFields(value);
  const status = readInteger(fields?.['status']);
  if (status === undefined) return undefined;
  const url = readText(fields?.['loss_url']) ?? '';
  return { lost: status !== 0, lossUrl: /^https?:\/\/[^/\s]/i.test(url) ? url : '' };
}
