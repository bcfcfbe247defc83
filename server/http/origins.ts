import type { IncomingHttpHeaders } from 'node:http';

/** `https://host:port` as browsers write it in `Origin`. Throws TypeError. */
export function toOrigin(text: string): string {
  const { origin, protocol } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`not an origin: ${text}`);
  return origin;
}

/**
 * Whether the page that sent this may use the server: one of a configured origin,
 * or one that the server serves itself, told by the host that the request was
 * sent to (D6). No page can set these headers itself.
 */
export function isOwnPage(headers: IncomingHttpHeaders, configured: readonly string[]): boolean {
  const { origin, host } = headers;
  if (!origin) return false;
  if (configured.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const forwarded = String(headers['x-forwarded-host'] ?? '').split(',');
  return [host, ...forwarded.map((each) => each.trim())].includes(new URL(origin).host);
}
