import type { DurationMs, UnixMs } from '#domain/core/time';

/** What `make` has returned within the last `period`; a failure is not kept. */
export function renewed<T>(
  period: DurationMs,
  now: () => UnixMs,
  make: () => Promise<T>,
): () => Promise<T> {
  let kept: { at: UnixMs; value: Promise<T> } | undefined;
  return () => {
    if (!kept || Math.abs(now() - kept.at) >= period) {
      const next = { at: now(), value: make() };
      kept = next;
      next.value.catch(() => {
        if (kept === next) kept = undefined;
      });
    }
    return kept.value;
  };
}
