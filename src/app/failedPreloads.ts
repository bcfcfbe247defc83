/**
 * Lets a failed import succeed after a reload of the page: WebKit imports what a preload has got again and again, also in the next
 * document, until something else asks for the file.
 */
export function dropFailedPreloads(): void {
  // Vite's name for each import that fails.
  addEventListener('vite:preloadError', () => {
    for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]'))
      fetch(href)
        .then((file) => file.blob())
        .catch(() => {});
  });
}
