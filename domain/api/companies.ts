/** §3 Company as it travels. */
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
