/** Adds links that index.html keeps aside in a template. */
function addTemplate(id: string): HTMLTemplateElement | null {
  const template = document.getElementById(id) as HTMLTemplateElement | null;
  template?.replaceWith(template.content);
  return template;
}

/** Fetches the files of the app. At / they come after the first prices, which need the browser's time (D95). */
export function fetchAhead(): void {
  for (const path of addTemplate('next-files')?.dataset['scripts']?.split(' ') ?? []) {
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
  addTemplate('late-links');
}
