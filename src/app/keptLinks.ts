/** Adds links that index.html keeps aside in a template. */
function addKept(id: string): HTMLTemplateElement | null {
  const kept = document.getElementById(id) as HTMLTemplateElement | null;
  kept?.replaceWith(kept.content);
  return kept;
}

/** Fetches the files of the app. At / they come after the first prices, which need the browser's time (D95). */
export function fetchAhead(): void {
  for (const path of addKept('next-files')?.dataset['scripts']?.split(' ') ?? []) {
    // A file counts as fetched when it is read. One that does not come is fetched again where it is imported.
    fetch(path, { priority: 'low' })
      .then((file) => file.blob())
      .catch(() => {});
  }
}

/**
 * Adds the icons and the manifest once the first screen is there: while Chromium loads
 * an icon its own window is drawn 60 times a second.
 */
export function addLateLinks(): void {
  if (document.getElementById('late-links')) document.querySelector('link[rel=icon]')?.remove();
  addKept('late-links');
}
