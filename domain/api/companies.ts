/** Service providers (protocol.md#companies). */
import { endpoint } from './endpoint';

export interface CompanyRow {
  id: number;
  name: string;
  subject: string;
  logo: string;
  url: string;
  registered_address: string;
  location: string;
  email: string;
}

export const companyList = endpoint<{ name: string }, CompanyRow[]>()({
  method: 'GET',
  path: '/api/company/getCompany',
  access: 'public',
  effect: 'reads',
});
