/** Reader of service providers (protocol.md#company): undefined for a row that can't be trusted. */
import type { Company } from '../companies/company';
import { readEmail, readFields, readInteger, readPicture, readText } from '../core/read';

export function readCompany(row: unknown): Company | undefined {
  const fields = readFields(row);
  const id = readInteger(fields?.['id']);
  const name = readText(fields?.['name']);
  if (id === undefined || id <= 0 || !name) return undefined;
  const url = readText(fields?.['url']) ?? '';
  return {
    id,
    name,
    subject: readText(fields?.['subject']) ?? '',
    logo: readPicture(fields?.['logo']),
    // Only https: anything else could be a script or an unencrypted page.
    url: /^https:\/\//i.test(url) ? url : '',
    registeredAddress: readText(fields?.['registered_address']) ?? '',
    location: readText(fields?.['location']) ?? '',
    email: readEmail(fields?.['email']) ?? '',
  };
}
