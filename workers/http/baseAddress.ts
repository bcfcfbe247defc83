import { needsSuffixList, siblingHost } from '#domain/core/hosts';
import type { Start } from '#domain/worker/workerApi';

export interface BaseAddress {
  /** An origin, without a trailing slash. */
  http: string;
  /** The full address of the websocket. */
  ws: string;
}

const DEMO_TITLE = 'DEMO';

/**
 * The address of the server (protocol.md#base-address): the page's origin with its first
 * subdomain replaced by `api`. Where no such host is proved (D143), the fallback host, by default
 * the origin itself. Where the page's title is DEMO, the origin.
 */
export function baseAddress({ origin, title, fallbackHost, domains }: Start['page']): BaseAddress {
  const page = new URL(origin);
  const host = isDemo(title) ? page.host : (siblingHost(page.host, 'api', domains) ?? fallbackHost);
  const http = addressOf(host || page.host, page);
  return { http: http.origin, ws: `${http.origin.replace(/^http/, 'ws')}/v1/ws` };
}

/** The page with the registrable domain of its host, where it needs one and its server has written none. */
export async function withDomain(page: Start['page']): Promise<Start['page']> {
  if (isDecided(page)) return page;
  try {
    const { registrableDomain } = await import('#domain/core/registrableDomain');
    return { ...page, domains: [registrableDomain(new URL(page.origin).hostname)].filter(Boolean) };
  } catch {
    // Without the list nothing is proved.
    return page;
  }
}

/** Whether `baseAddress` needs nothing but the page. */
export function isDecided({ origin, title, domains }: Start['page']): boolean {
  return isDemo(title) || !needsSuffixList(new URL(origin).host, domains);
}

function isDemo(title: string): boolean {
  return title.trim() === DEMO_TITLE;
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
