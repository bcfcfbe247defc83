import { hash } from 'node:crypto';
import type { EndpointFields } from '#domain/api/endpoint';

/** Hash of the call and its parameters as sent, without `t`. */
export function fingerprintOf(
  { method, path }: Pick<EndpointFields, 'method' | 'path'>,
  params: Record<string, unknown>,
): string {
  const given = Object.entries(params)
    .filter(([name]) => name !== 't')
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return hash('sha256', JSON.stringify([method, path, given]), 'base64');
}
