/**
 * `host` (with its port, if any) with the first subdomain replaced by `label`
 * (`api`: protocol.md#base-address; `pc`: screens.md#variants). Undefined for localhost, addresses and hosts without a
 * subdomain, which have no such sibling (D5).
 */
export function siblingHost(host: string, label: string): string | undefined {
  const name = host.replace(/:\d+$/, '');
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name);
  if (isAddress || name.split('.').length < 3) return undefined;
  return label + host.slice(host.indexOf('.'));
}
