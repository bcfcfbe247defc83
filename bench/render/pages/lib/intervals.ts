/**
 * The app's rule (D68) for every contender: returns what to call for each change. `flush` runs at
 * once where its last turn is older than `interval`, ms, and else at that interval's end, on a grid.
 */
export function inIntervals(interval: number, flush: () => void): () => void {
  let turn = Number.NEGATIVE_INFINITY;
  let scheduled = false;
  return () => {
    if (scheduled) return;
    scheduled = true;
    const now = performance.now();
    turn = Math.max(turn + interval, now);
    setTimeout(() => {
      scheduled = false;
      flush();
    }, turn - now);
  };
}
