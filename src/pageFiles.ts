/** Load the page again after this long even if its files have not come, ms. */
const PATIENCE = 3000;

/** The paths of the app's files that this page has asked for. */
export function usedFiles(): string[] {
  const { origin } = location;
  return performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.startsWith(`${origin}/assets/`))
    .map(({ name }) => name.slice(origin.length));
}

/**
 * Loads the page again where something of it could not be loaded, after its files have been asked for past all caches: one of them may have another thing in
 * its place (D152). What is on screen stays where nobody answers.
 */
export async function reloadAnew(): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE);
  let answered = false;
  const ask = async (path: string) => {
    const file = await fetch(path, { cache: 'reload', signal });
    answered = true;
    await file.blob();
  };
  await Promise.allSettled(usedFiles().map(ask));
  if (answered) location.reload();
}
