import type { FastifyInstance } from 'fastify';
import { companyList } from '#domain/api/companies';
import { folded } from '#domain/core/inputText';
import { route } from '../http/route';
import { COMPANIES } from './companies';

/** Repeated blanks are one. */
const plain = (text: string) => folded(text).replace(/\s+/g, ' ').trim();

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
