import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import * as api from '#domain/api/companies';
import * as schemas from '../api/companies';
import { optionalText } from '../http/params';
import { route } from '../http/route';
import { COMPANIES } from './companies';

/** As people compare names: case, accents and width don't matter. */
const plain = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();

/** getCompany (protocol.md#companies): providers by a part of their name or legal entity; all of them for an empty one. */
export function companyRoutes(app: FastifyInstance): void {
  route(app, api.companyList, {
    params: z.object({ name: optionalText() }),
    data: z.array(schemas.company),
    handler({ params }) {
      const wanted = plain(params.name);
      return COMPANIES.filter(({ name, subject }) =>
        [name, subject].some((each) => plain(each).includes(wanted)),
      );
    },
  });
}
