import { readCompany } from '#domain/api/read-companies';
import { readRows } from '#domain/core/read';
import type { CompaniesGateway } from '#domain/gateway/companies';
import type { Http } from './client';

/** protocol.md#companies. */
export function companyReads(http: Http): CompaniesGateway {
  return {
    companies: (name) =>
      http.get({ path: '/api/company/getCompany', params: { name }, quiet: true }, (data) =>
        readRows(data, readCompany),
      ),
  };
}
