import type { CompaniesGateway } from '#domain/gateway/companies';
import { lazy } from '../core/lazy';
import type { Http } from '../http/client';

/** Service providers. Their code is loaded by the first call. */
export function createCompanies(http: Http): CompaniesGateway {
  return lazy(async () => (await import('../http/companies')).companyReads(http), {
    companies: true,
  });
}
