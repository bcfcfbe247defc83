/** A row that passes by in a fling asks for nothing, ms. */
const IN_SIGHT = 200;
/** Rows that come within this time come together, ms. */
const TOGETHER = 50;

/**
 * Asks for what has stayed in sight, in one call for what came together. Entering returns the function that leaves: whether it
 * was in time, before anything was asked.
 */
export function whatStaysInSight<T>(ask: (stayed: T[]) => void): (row: T) => () => boolean {
  let coming: Set<T> | undefined;

  function begin(): Set<T> {
    const together = new Set<T>();
    setTimeout(() => {
      coming = undefined;
    }, TOGETHER);
    setTimeout(() => {
      const stayed = [...together];
      together.clear();
      if (stayed.length > 0) ask(stayed);
    }, TOGETHER + IN_SIGHT);
    return together;
  }

  return (row) => {
    coming ??= begin();
    const together = coming.add(row);
    return () => together.delete(row);
  };
}
