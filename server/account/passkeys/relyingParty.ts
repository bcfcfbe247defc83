import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Proxies } from '../../http/proxies';

/** Where a server without a public address is reached, as `npm run admin` assumes too. */
const LOCALHOST = 'localhost';

/** The pages at which passkeys work (D171). */
export interface RelyingParty {
  /** The domain that passkeys belong to. */
  readonly id: string;
  /** Origins of the pages that may use them; none where the address of this request allows no passkeys. */
  originsOf(request: FastifyRequest): string[];
  /** Whether the page that sent this request may use them. */
  isOffered(request: FastifyRequest): boolean;
}

/**
 * Passkeys belong to the host of `publicUrl`, and work on its page and on pages of `origins` at or below that host. Without a
 * `publicUrl` they work on localhost alone: a visitor can write any other host into a request.
 */
export function createRelyingParty(
  { publicUrl, origins }: { publicUrl: string; origins: readonly string[] },
  proxies: Proxies,
): RelyingParty {
  const id = publicUrl ? new URL(publicUrl).hostname : LOCALHOST;
  const isOwn = (origin: string) => {
    if (!URL.canParse(origin)) return false;
    const { protocol, hostname } = new URL(origin);
    if (isIP(hostname) || hostname.startsWith('[')) return false;
    if (protocol !== 'https:' && hostname !== LOCALHOST) return false;
    return hostname === id || hostname.endsWith(`.${id}`);
  };
  const originsOf = ({ raw }: FastifyRequest) => {
    const own = publicUrl ? [publicUrl] : proxies.hostsOf(raw).map((host) => `http://${host}`);
    return own.some(isOwn) ? [...own, ...origins].filter(isOwn) : [];
  };
  return {
    id,
    originsOf,
    isOffered(request) {
      const known = originsOf(request);
      const { origin } = request.headers;
      return origin === undefined ? known.length > 0 : known.includes(origin);
    },
  };
}
