import { basename } from 'node:path';
import type { EndpointFields } from '#domain/api/endpoint';

const modules = import.meta.glob<Record<string, unknown>>('../../domain/api/*.ts', { eager: true });

export function isEndpoint(value: unknown): value is EndpointFields {
  return typeof value === 'object' && value !== null && 'path' in value && 'effect' in value;
}

/** Every call that domain/api declares. */
export const declaredEndpoints = Object.entries(modules).flatMap(([file, exports]) =>
  Object.entries(exports).flatMap(([name, endpoint]) =>
    isEndpoint(endpoint) ? [{ subject: basename(file, '.ts'), name, endpoint }] : [],
  ),
);
