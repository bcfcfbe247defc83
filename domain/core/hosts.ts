/**
 * Replaces the first subdomain of `host` by `label` and keeps the port (`api`: protocol.md#base-address;
 * `pc`: screens.md#variants). Undefined for localhost, IP addresses and hosts without a subdomain (D5).
 */
export function siblingHost(host: string, label: string): string | undefined {
  const name = host.replace(/:\d+$/, '');
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name);
  if (isAddress || name.split('.').length < 3) return undefined;
  return label + host.slice(host.indexOf('.'));
}
