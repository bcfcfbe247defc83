/** The rate of frames that were painted at these times, ms; NaN of fewer than two. */
export function framesPerSecond(times: readonly number[]): number {
  const lasted = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return lasted > 0 ? ((times.length - 1) * 1000) / lasted : Number.NaN;
}

/**
 * The fewest of a contender: half of those in which the main stream changes something in sight, by the rule of 50 ms. Canvases
 * have no ages that would show that one draws seldom.
 */
const FEWEST_FRAMES = 6;

/** Throws where a contender draws too seldom for its cost to be compared. */
export function expectFrames(drawn: number): void {
  if (drawn >= FEWEST_FRAMES) return;
  throw new Error(
    `the gate: ${(drawn || 0).toFixed(1)} frames a second draw, not ${FEWEST_FRAMES}`,
  );
}
