import { success } from '#domain/core/result';
import type { Http } from '../http/client';
import { features as loadFeatures } from '../http/common';
import type { AlertsOptions, ServerFeatures } from './contract';

/** Asks the server which optional parts it has, where that is not known yet. */
export function createServerFeatures(http: Http, known: AlertsOptions['features']): ServerFeatures {
  return async () => {
    if (!known.current) {
      const result = await loadFeatures(http);
      if (!result.ok) return result;
      known.current ??= result.data;
    }
    return success(known.current);
  };
}
