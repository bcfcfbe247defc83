import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { siblingHost } from '#domain/core/hosts';
import { isOwnPage } from './origins';
import { domainsOf, type PageOptions } from './page';
import type { Proxies } from './proxies';
import { Refusal } from './refusal';

export type SecurityOptions = Pick<PageOptions, 'origins' | 'fallbackHost' | 'complaintUrl'>;

/** Sets the security headers: what page and worker may load and connect to. `scripts`: sources of the page's own scripts. */
export async function addSecurityHeaders(
  app: FastifyInstance,
  options: SecurityOptions,
  scripts: readonly string[],
): Promise<void> {
  const hosts = connectSources(options);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'", ...scripts],
        'style-src': ["'self'"],
        'font-src': ["'self'"],
        'img-src': ["'self'", 'data:', 'blob:', ...pictureSources(options)],
        // Older browsers do not count a websocket of the same host as 'self'.
        'connect-src': ["'self'", ({ headers }) => ownSockets(headers.host), ...hosts],
        // The worker's first stage is in the page (src/trustedTypes.ts names what may become a worker).
        'worker-src': ["'self'", 'blob:'],
        'manifest-src': ["'self'"],
        'frame-src': ['https:'],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        // Our own scripts as workers, and the cleaner of articles. A default policy would write what reaches `innerHTML` by mistake.
        'require-trusted-types-for': ["'script'"],
        'trusted-types': ['fulcrum', 'dompurify'],
      },
    },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    // The sibling host of the page shows pictures of the API host.
    crossOriginResourcePolicy: { policy: 'same-site' },
    // Only the proxy that ends TLS knows whether the whole domain has it.
    strictTransportSecurity: false,
  });
}

/** Our own hosts only: another one would see who reads what. */
function pictureSources(options: SecurityOptions): string[] {
  return connectSources({ ...options, complaintUrl: '' }).filter((source) =>
    /^https?:/.test(source),
  );
}

/** The client writes the `Host` header itself: accept only text in the form of a host. */
function ownSockets(host: string | undefined): string {
  return host && /^([\w.-]+|\[[\da-f:]+\])(:\d+)?$/i.test(host) ? `ws://${host} wss://${host}` : '';
}

function connectSources({ origins, fallbackHost, complaintUrl }: SecurityOptions): string[] {
  const sources = new Set<string>();
  const addHost = (scheme: string, host: string | undefined) => {
    if (host) sources.add(`${scheme}://${host}`).add(`${scheme.replace('http', 'ws')}://${host}`);
  };
  for (const origin of origins) {
    const { protocol, host } = new URL(origin);
    addHost(protocol.slice(0, -1), host);
    addHost(protocol.slice(0, -1), siblingHost(host, 'api', domainsOf([origin])));
  }
  // The page asks with its own scheme, which may be either.
  addHost('https', fallbackHost);
  addHost('http', fallbackHost);
  if (complaintUrl) sources.add(new URL(complaintUrl).origin);
  return [...sources];
}

/** A call is a fetch by the page's script, or is opened in the browser by a person who reads its answer. */
const DESTINATIONS: ReadonlySet<unknown> = new Set([undefined, '', 'empty', 'document']);

/** Refuses a call that the browser marks as a picture, a script or the like (protocol.md#requests). */
export function refuseEmbedding({ headers }: FastifyRequest): void {
  if (!DESTINATIONS.has(headers['sec-fetch-dest'])) throw new Refusal(403, 'server.foreignRequest');
}

/**
 * Refuses a changing call that the browser marks as not made by the page: an opened tab, a
 * prefetch, another site (protocol.md#requests).
 */
export function foreignFetchRefuser(origins: readonly string[], proxies: Proxies) {
  return ({ headers, raw }: FastifyRequest): void => {
    const header = (name: string) => String(headers[name] ?? '');
    const prefetch = /\bprefetch\b/.test(`${header('sec-purpose')} ${header('purpose')}`);
    const site = header('sec-fetch-site');
    // Old browsers do not mark their fetches: then check the origin.
    const other = site === 'cross-site' || (site === '' && header('origin') !== '');
    const foreign = other && !isOwnPage(raw, origins, proxies);
    if (prefetch || foreign || header('sec-fetch-mode') === 'navigate') {
      throw new Refusal(403, 'server.foreignRequest');
    }
  };
}
