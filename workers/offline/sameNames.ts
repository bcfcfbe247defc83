/** The files of `paths` that the version before had under the same names, but for the hashes of their contents. */
export function sameNames(before: readonly string[], paths: readonly string[]): string[] {
  const names = new Set(before.map(nameOf));
  return paths.filter((path) => names.has(nameOf(path)));
}

/** `/assets/UserScreen-CJta5cLQ.js` is `/assets/UserScreen.js`. */
function nameOf(path: string): string {
  return path.replace(/-[\w-]{8}(?=\.\w+$)/, '');
}
