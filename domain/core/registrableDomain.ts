import { getDomain } from 'tldts';

/**
 * The registrable domain of `host`: one label below a public suffix, those of companies such as github.io
 * included (D143). Empty for addresses, localhost and public suffixes. Heavy: load it lazily.
 */
export function registrableDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? '';
}
