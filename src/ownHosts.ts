import { siblingHost } from '#domain/core/hosts';
import { ownDomains, pageSetting } from './pageSetting';

/** Whether an address is of the page's host or of that of its API (protocol.md#base-address). */
export function isOwnHost(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host } = new URL(address);
  const api = siblingHost(location.host, 'api', ownDomains()) ?? pageSetting('fallback-host');
  return /^https?:$/.test(protocol) && [location.host, api].includes(host);
}
