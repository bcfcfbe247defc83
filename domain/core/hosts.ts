/**
 * Replaces the first subdomain of `host` by `label` and keeps the port (`api`: protocol.md#base-address;
 * `pc`: screens.md#variants). `domains`: known registrable domains. Undefined for a host that is not
 * below one of them: the sibling could be a stranger's (D143).
 */
export function siblingHost(
  host: string,
  label: string,
  domains: readonly string[],
): string | undefined {
  const name = nameOf(host);
  const below = domains.some((domain) => name.endsWith(`.${domain}`));
  return below ? label + host.slice(host.indexOf('.')) : undefined;
}

/** Whether only the public suffix list can tell if `host` has a sibling: never for localhost, addresses and two labels (D143). */
export function needsSuffixList(host: string, domains: readonly string[]): boolean {
  const name = nameOf(host);
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name);
  return (
    !isAddress &&
    name.split('.').length > 2 &&
    !domains.some((domain) => `.${name}`.endsWith(`.${domain}`))
  );
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '');
}
