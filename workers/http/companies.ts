import { readCompany } from '#domain/api/read-companies';
import { readPage } from '#domain/api/read-page';
import { readTrader } from '#domain/api/read-ranking';
import { readRows } from '#domain/core/read';
import type { CompaniesGateway } from '#domain/gateway/companies';
import type { RankingGateway } from '#domain/gateway/ranking';
import type { Http } from './client';

/** Those who trade and those who provide: follow/list and getCompany (§7). */
export function companyReads(http: Http): RankingGateway & CompaniesGateway {
  return {
    traders: (page) =>
      http.get({ path: '/api/follow/list', params: { page }, quiet: true }, (data) =>
        readPage(data, readTrader),
      ),
    companies: (name) =>
      http.get({ path: '/api/company/getCompany', params: { name }, quiet: true }, (data) =>
        readRows(data, readCompany),
      ),
  };
}
