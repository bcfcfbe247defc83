import * as api from '#domain/api/companies';
import { readCompany } from '#domain/api/read-companies';
import { readRows } from '#domain/core/read';
import type { CompaniesGateway } from '#domain/gateway/companies';
import type { Http } from './client';

/** The calls of service providers (protocol.md#companies). */
export function companyReads(http: Http): CompaniesGateway {
  return {
    companies: (name) =>
      http.get(api.companyList, { name }, (data) => readRows(data, readCompany), { quiet: true }),
  };
}
