/** A setting that the server writes into the page's head (D63); empty where there is none. */
export function pageSetting(name: 'variant' | 'fallback-host' | 'complaint-url'): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
