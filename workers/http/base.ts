import { siblingHost } from '#domain/core/hosts';
import type { Start } from '#domain/gateway/gateway';

export interface BaseAddress {
  /** An origin, without a slash at its end. */
  http: string;
  /** The websocket's full address. */
  ws: string;
}

const DEMO_TITLE = 'DEMO';

/**
 * Where the server is (protocol.md#base-address): the page's origin with its
 * first subdomain replaced by `api`; the fallback host where there is no such
 * sibling, by default the origin itself; the origin where the title is DEMO.
 */
export function baseAddress({ origin, title, fallbackHost }: Start['page']): BaseAddress {
  const page = new URL(origin);
  const demo = title.trim() === DEMO_TITLE;
  const host = demo ? page.host : (siblingHost(page.host, 'api') ?? fallbackHost);
  const http = addressOf(host || page.host, page);
  return { http: http.origin, ws: `${http.origin.replace(/^http/, 'ws')}/v1/ws` };
}

/** A host may be configured with its scheme, or without: then it is the page's. */
function addressOf(host: string, page: URL): URL {
  try {
    const address = new URL(host.includes('://') ? host : `${page.protocol}//${host}`);
    if (/^https?:$/.test(address.protocol)) return address;
  } catch {
    // A fallback host that is none must not keep the page from its own server.
  }
  return page;
}
