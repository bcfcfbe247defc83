import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import * as api from '#domain/api/companies';
import * as schemas from '../api/companies';
import { optionalText } from '../http/params';
import { route } from '../http/route';
import { COMPANIES } from './companies';

/** Ignores case, accents, width and repeated blanks. */
const plain = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();

/**
 * getCompany: providers whose name or legal entity contains the text; all of them for an empty
 * text.
 */
export function companyRoutes(app: FastifyInstance): void {
  route(app, api.companyList, {
    params: z.object({ name: optionalText() }),
    data: z.array(schemas.company),
    handler({ params }) {
      const search = plain(params.name);
      return COMPANIES.filter(({ name, subject }) =>
        [name, subject].some((each) => plain(each).includes(search)),
      );
    },
  });
}
