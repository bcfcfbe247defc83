/** What the server that serves the page has to say in its head (D63); empty where it says nothing. */
export function pageSetting(name: 'variant' | 'fallback-host' | 'complaint-url'): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
