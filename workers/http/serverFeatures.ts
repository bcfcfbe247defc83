import { type Result, success } from '#domain/core/result';
import type { Http } from './client';
import { features as loadFeatures } from './common';

/** The optional parts of the protocol that the server has (protocol.md#features). */
export type ServerFeatures = (signal?: AbortSignal) => Promise<Result<readonly string[]>>;

/** Asks the server which optional parts it has, where that is not known yet. */
export function createServerFeatures(
  http: Http,
  known: { current: readonly string[] | undefined },
): ServerFeatures {
  return async (signal) => {
    if (!known.current) {
      const result = await loadFeatures(http, signal);
      if (!result.ok) return result;
      known.current ??= result.data;
    }
    return success(known.current);
  };
}
