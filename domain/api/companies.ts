/** Service providers (protocol.md#companies). */
import * as v from 'valibot';
import { call } from './call';
import { email, httpsAddress, id, neededText, picture, rows, text } from './fields';
import { optionalText } from './params';
import type { Read, Sent } from './schema';

const company = v.pipe(
  v.object({
    id,
    name: neededText,
    /** The legal entity. */
    subject: text,
    logo: picture,
    url: httpsAddress,
    registered_address: text,
    location: text,
    email,
  }),
  v.title('Company'),
  v.transform(({ registered_address: registeredAddress, ...company }) => {
    return { ...company, registeredAddress };
  }),
);

/** A provider, as it is sent. */
export type CompanyRow = Sent<typeof company>;

/** A provider (protocol.md#company). */
export type Company = Read<typeof company>;

/** Providers whose name contains `name`; all where it is empty. */
export const companyList = call({
  method: 'GET',
  path: '/api/company/getCompany',
  access: 'public',
  effect: 'reads',
  params: { name: optionalText() },
  answer: rows(company),
});
