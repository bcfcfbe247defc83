import * as api from '#domain/api/ranking';
import { readPage } from '#domain/api/read-page';
import { readTrader } from '#domain/api/read-ranking';
import type { RankingGateway } from '#domain/gateway/ranking';
import type { Http } from './client';

/** The calls of the ranking (protocol.md#ranking-calls). */
export function rankingReads(http: Http): RankingGateway {
  return {
    traders: (page) =>
      http.get(api.traderList, { page }, (data) => readPage(data, readTrader), { quiet: true }),
  };
}
