import type { RankingGateway } from '#domain/gateway/ranking';
import { importOnce } from '../core/importOnce';
import { lazy } from '../core/lazy';
import type { Http } from '../http/client';

const code = importOnce(() => import('../http/ranking'));

/** The ranking of traders. Its code is loaded by the first call. */
export function createRanking(http: Http): RankingGateway {
  return lazy(async () => (await code()).rankingReads(http), { traders: true });
}
