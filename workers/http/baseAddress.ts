import { siblingHost } from '#domain/core/hosts';
import type { Start } from '#domain/gateway/gateway';

export interface BaseAddress {
  /** An origin, without a trailing slash. */
  http: string;
  /** The full address of the websocket. */
  ws: string;
}

const DEMO_TITLE = 'DEMO';

/**
 * The address of the server (protocol.md#base-address): the page's origin with its first
 * subdomain replaced by `api`. Where there is no such host, the fallback host, by default the
 * origin itself. Where the page's title is DEMO, the origin.
 */
export function baseAddress({ origin, title, fallbackHost }: Start['page']): BaseAddress {
  const page = new URL(origin);
  const demo = title.trim() === DEMO_TITLE;
  const host = demo ? page.host : (siblingHost(page.host, 'api') ?? fallbackHost);
  const http = addressOf(host || page.host, page);
  return { http: http.origin, ws: `${http.origin.replace(/^http/, 'ws')}/v1/ws` };
}

/** A host may be configured without a scheme: then the page's is used. */
function addressOf(host: string, page: URL): URL {
  try {
    const address = new URL(host.includes('://') ? host : `${page.protocol}//${host}`);
    if (/^https?:$/.test(address.protocol)) return address;
  } catch {
    // If the fallback host is invalid, the page still reaches its own server.
  }
  return page;
}
