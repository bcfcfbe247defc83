import type { RankingGateway } from '#domain/gateway/ranking';
import { lazy } from '../core/lazy';
import type { Http } from '../http/client';

/** The ranking of traders. Its code is loaded by the first call. */
export function createRanking(http: Http): RankingGateway {
  return lazy(async () => (await import('../http/ranking')).rankingReads(http), { traders: true });
}
