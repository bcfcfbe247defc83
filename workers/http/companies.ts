import { readCompany } from '#domain/api/read-companies';
import { readPage } from '#domain/api/read-page';
import { readTrader } from '#domain/api/read-ranking';
import { readRows } from '#domain/core/read';
import type { FundsGateway } from '#domain/gateway/wallet';
import type { Http } from './client';

/** Those who trade and those who provide: follow/list and getCompany (§7). */
export function companyReads(http: Http): Pick<FundsGateway, 'traders' | 'companies'> {
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
