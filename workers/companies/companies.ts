import type { CompaniesGateway } from '#domain/gateway/companies';
import { importOnce } from '../core/importOnce';
import { lazy } from '../core/lazy';
import type { Http } from '../http/client';

const code = importOnce(() => import('../http/companies'));

/** Service providers. Their code is loaded by the first call. */
export function createCompanies(http: Http): CompaniesGateway {
  return lazy(async () => (await code()).companyReads(http), {
    companies: true,
  });
}
