import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Feature } from '#domain/api/features';
import { registrableDomain } from '#domain/core/registrableDomain';
import { type FirstRows, withFirstRows } from '#domain/market/firstRows';
import { escapeHtml } from '../core/escapeHtml';

/** Settings that are written into the page. */
export interface PageOptions {
  /** DEMO makes the demo variant (screens.md#variants). */
  title: string;
  /** Words of `<meta name="variant">`. */
  variant: readonly string[];
  /** Origins of the page besides the server's own, as `https://m.example.com`. */
  origins: readonly string[];
  /** Host of the API for pages without an api sibling; empty for the page's own. */
  fallbackHost: string;
  /**
   * Address of a third party that returns the complaint email; empty for none
   * (protocol.md#account-calls).
   */
  complaintUrl: string;
  /** Pages of other versions have to load this one (protocol.md#manifest). */
  requireLatest: boolean;
  /** Share of the visits that report their vitals (protocol.md#vitals). */
  vitalsShare: number;
  /** Share of the errors that clients report (protocol.md#client-errors). */
  errorsShare: number;
}

/** The features that the page uses before it can ask (protocol.md#subscriptions-in-the-address). */
const FEATURES_OF_THE_PAGE: readonly Feature[] = ['sub_url'];

/** Serves index.html with the server's settings in its head, and the prices of now at its end (D130). */
export function servePage(
  app: FastifyInstance,
  html: string,
  options: PageOptions,
  firstRows: () => FirstRows | undefined,
  onServed: () => void,
): void {
  const filled = fillPage(html, options);
  const etag = `W/"${createHash('sha256').update(filled).digest('base64url')}"`;
  for (const url of ['/', '/index.html']) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler(request, reply) {
        reply.headers({ 'cache-control': 'no-cache', etag });
        if (request.method === 'GET') onServed();
        if (request.headers['if-none-match'] === etag) return reply.code(304).send();
        const rows = firstRows();
        const page = rows && rows.rows.length > 0 ? withFirstRows(filled, rows) : filled;
        return reply.type('text/html; charset=utf-8').send(page);
      },
    });
  }
}

/** The hashes of the page's own scripts, as sources of a content policy. */
export function scriptSources(html: string): string[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
}

/** The registrable domains of the page's hosts: only below them a page has siblings (D143). */
export function domainsOf(origins: readonly string[]): string[] {
  const domains = origins.map((origin) => registrableDomain(new URL(origin).hostname));
  return [...new Set(domains)].filter(Boolean);
}

/** Throws where the page has no place for a setting. */
function fillPage(html: string, options: PageOptions): string {
  const { title, variant, fallbackHost, origins, complaintUrl, vitalsShare, errorsShare } = options;
  const fillMeta = (page: string, name: string, value: string) =>
    fill(page, new RegExp(`(<meta name="${name}" content=")[^"]*(")`), value);
  let page = fill(html, /(<title>)[^<]*(<\/title>)/, title);
  page = fillMeta(page, 'variant', variant.join(' '));
  page = fillMeta(page, 'fallback-host', fallbackHost);
  page = fillMeta(page, 'domains', domainsOf(origins).join(' '));
  page = fillMeta(page, 'complaint-url', complaintUrl);
  page = fillMeta(page, 'server-features', FEATURES_OF_THE_PAGE.join(' '));
  page = fillMeta(page, 'errors-share', errorsShare > 0 ? `${errorsShare}` : '');
  return fillMeta(page, 'vitals-share', vitalsShare > 0 ? `${vitalsShare}` : '');
}

function fill(page: string, place: RegExp, value: string): string {
  if (!place.test(page)) throw new Error(`index.html has no ${place.source}`);
  return page.replace(place, (_, before, after) => before + escapeHtml(value) + after);
}
