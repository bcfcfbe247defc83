import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that are not the internet: our own machine and network, documentation, multicast. */
const SPECIAL = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
];
/** Of IPv6 only this is the internet, without Teredo, documentation and 6to4. */
const INTERNET_6 = '2000::/3';
const SPECIAL_6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const special = new BlockList();
const internet6 = new BlockList();
for (const [list, networks, family] of [
  [special, SPECIAL.join(' '), 'ipv4'],
  [special, SPECIAL_6, 'ipv6'],
  [internet6, INTERNET_6, 'ipv6'],
] as const) {
  for (const network of networks.split(' ')) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
}

/** Whether an IP address is one of the public internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, 'ipv4');
  return isIP(address) === 6 && internet6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** How names are resolved and addresses connected; tests replace it. */
export interface Network {
  lookup: LookupFunction;
  isPublic(address: string): boolean;
  /** Without TLS: only for tests, which have no certificates. */
  plain?: boolean;
}

/** The internet without our own machine and network. */
export const INTERNET: Network = { lookup: systemLookup as LookupFunction, isPublic };

/** The host of an address as it is connected to: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Whether a host may be connected to as far as its text says: a name goes through `publicLookup`, an address does not. */
export function isAllowed(host: string, network: Network): boolean {
  return isIP(host) === 0 || network.isPublic(host);
}

/** Names whose addresses are all public. */
export function publicLookup({ lookup, isPublic: allowed }: Network): LookupFunction {
  return (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : [];
      const [first] = addresses;
      if (error || !first) return done(error ?? new Error('no address'), '', 0);
      if (!addresses.every(({ address }) => allowed(address))) {
        return done(new Error(`${name} is not public`), '', 0);
      }
      if (options.all) return done(null, addresses);
      return done(null, first.address, first.family);
    });
  };
}
