/** Readers of what is asked for before anyone logs in (protocol.md#account-calls): undefined for what can't be trusted. */
import { readFields, readInteger, readRows, readText } from '../core/read';

export interface AppStatus {
  /** Out of service: the browser is sent to `lossUrl` (protocol.md#app-status). */
  lost: boolean;
  /** An https address, or empty. */
  lossUrl: string;
}

/** `features` of getBasicInfo: names of the optional parts that the server has (protocol.md#features). */
export function readFeatures(value: unknown): string[] | undefined {
  const fields = readFields(value);
  return fields && (readRows(fields['features'] ?? [], readText) ?? []);
}

export function readAppStatus(value: unknown): AppStatus | undefined {
  const fields = readFields(value);
  const status = readInteger(fields?.['status']);
  if (status === undefined) return undefined;
  const url = readText(fields?.['loss_url']) ?? '';
  return { lost: status !== 0, lossUrl: /^https:\/\//i.test(url) ? url : '' };
}
