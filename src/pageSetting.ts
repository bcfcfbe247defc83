import type { Start } from '#domain/worker/workerApi';

/** A setting that the server writes into the page's head; empty where there is none. */
export function pageSetting(
  name:
    | 'variant'
    | 'fallback-host'
    | 'domains'
    | 'complaint-url'
    | 'vitals-share'
    | 'errors-share'
    | 'server-features',
): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}

/** What determines the base address of the API (protocol.md#base-address). */
export function addressing(): Start['page'] {
  return {
    origin: location.origin,
    title: document.title,
    fallbackHost: pageSetting('fallback-host'),
    domains: pageSetting('domains').split(' ').filter(Boolean),
  };
}
