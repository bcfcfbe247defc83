import { lookup as systemLookup } from 'node:dns';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** As an upload (protocol.md#uploads). */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_REDIRECTS = 3;
/** Time limit of a fetch: look-up of names, redirects and the picture. */
const TIMEOUT_MS = 15_000;

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

/** A picture could not be fetched; the message is for the operator. */
export class NotFetched extends Error {}

/** How names are resolved and addresses connected; tests replace it. */
export interface Network {
  lookup: LookupFunction;
  isPublic(address: string): boolean;
  /** Without TLS: only for tests, which have no certificates. */
  plain?: boolean;
}

const INTERNET: Network = { lookup: systemLookup as LookupFunction, isPublic };

/**
 * Fetches a picture of an article over https, from public addresses only. The address that is
 * connected to is the one that was checked, also after redirects. Throws NotFetched.
 */
export async function fetchPicture(address: string, network = INTERNET): Promise<Buffer> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  let url = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await get(url, network, deadline);
    const { statusCode = 0, headers } = answer;
    if (statusCode >= 300 && statusCode < 400 && headers.location) {
      answer.destroy();
      if (!URL.canParse(headers.location, url)) throw new NotFetched(`${url} leads nowhere`);
      url = new URL(headers.location, url).href;
      continue;
    }
    if (statusCode !== 200) {
      answer.destroy();
      throw new NotFetched(`${url} answers ${statusCode}`);
    }
    return bytesOf(answer, url);
  }
  throw new NotFetched(`${address} is redirected more than ${MAX_REDIRECTS} times`);
}

function get(address: string, network: Network, signal: AbortSignal): Promise<IncomingMessage> {
  if (!URL.canParse(address)) throw new NotFetched(`${address} is no address`);
  const url = new URL(address);
  if (url.protocol !== 'https:') throw new NotFetched(`${address} is not https`);
  if (url.username || url.password) throw new NotFetched(`${address} holds a password`);
  // A name goes through `lookup`; an address in its place does not.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) && !network.isPublic(host)) throw new NotFetched(`${address} is not public`);
  const request = network.plain ? plainRequest : secureRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host,
      port: url.port || 443,
      path: url.pathname + url.search,
      headers: { accept: 'image/jpeg, image/png, image/webp', host: url.host },
      agent: false,
      signal,
      lookup: publicLookup(network),
    });
    outgoing.on('response', resolve);
    outgoing.on('error', (error) => reject(new NotFetched(`${address}: ${error.message}`)));
    outgoing.end();
  });
}

/** Names whose addresses are all public. */
function publicLookup({ lookup, isPublic: allowed }: Network): LookupFunction {
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

async function bytesOf(answer: IncomingMessage, address: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new NotFetched(`${address} is larger than 8 MiB`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof NotFetched) throw error;
    throw new NotFetched(`${address}: ${(error as Error).message}`);
  }
  return Buffer.concat(chunks);
}
