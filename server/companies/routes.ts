import type { FastifyInstance } from 'fastify';
import { companyList } from '#domain/api/companies';
import { route } from '../http/route';
import { COMPANIES } from './companies';

/** Ignores case, accents, width and repeated blanks. */
const plain = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();

/** getCompany compares name and legal entity. */
export function companyRoutes(app: FastifyInstance): void {
  route(app, companyList, {
    handler({ params }) {
      const search = plain(params.name);
      return COMPANIES.filter(({ name, subject }) =>
        [name, subject].some((each) => plain(each).includes(search)),
      );
    },
  });
}
