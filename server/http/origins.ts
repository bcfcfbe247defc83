import type { IncomingMessage } from 'node:http';
import type { Proxies } from './proxies';

/** Normalises an origin to `https://host:port`, as browsers write it. Throws TypeError. */
export function toOrigin(text: string): string {
  const { origin, protocol } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`not an origin: ${text}`);
  return origin;
}

/**
 * Whether the page that sent this may use the server: its origin is configured, or the request was
 * sent to the host that serves the page. A page can't set these headers itself,
 * and DNS rebinding gains nothing, because the server reads no cookies.
 */
export function isOwnPage(
  request: IncomingMessage,
  configured: readonly string[],
  proxies: Proxies,
): boolean {
  const { origin } = request.headers;
  if (!origin) return false;
  if (configured.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  return proxies.hostsOf(request).includes(new URL(origin).host);
}
