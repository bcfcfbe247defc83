/**
 * Adds the icons and the manifest, which index.html keeps aside until the first screen is there: while Chromium loads
 * an icon its own window is drawn 60 times a second.
 */
export function addLateLinks(): void {
  const late = document.querySelector<HTMLTemplateElement>('#late-links');
  if (!late) return;
  document.querySelector('link[rel=icon]')?.remove();
  late.replaceWith(late.content);
}
