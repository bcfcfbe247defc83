import { FRAME_MS } from '#domain/worker/workerApi';

/** Possible frame intervals of the list, ms (D68). */
export const FRAME_INTERVALS = [FRAME_MS, 100, 200] as const;
export type FrameInterval = (typeof FRAME_INTERVALS)[number];

/** Choose a longer interval when drawing takes more than this share of the React thread. */
const TOO_MUCH = 0.25;
/** Choose a shorter interval when drawing would take less than this share at it. */
const LITTLE = 0.15;

/**
 * The frame interval that fits the measured `cost` of a frame, both in ms. `now` is the present interval, `least`
 * the shortest one allowed on this device.
 */
export function frameIntervalFor(
  cost: number,
  now: FrameInterval,
  least: FrameInterval,
): FrameInterval {
  const at = FRAME_INTERVALS.indexOf(now);
  const longer = FRAME_INTERVALS[at + 1];
  if (longer && cost > now * TOO_MUCH) return longer;
  const shorter = FRAME_INTERVALS[at - 1];
  if (shorter && shorter >= least && cost < shorter * LITTLE) return shorter;
  return now;
}

/** The shortest frame interval allowed on a device, by what the browser reports of it. */
export function shortestFrameInterval({
  deviceMemory = 8,
  hardwareConcurrency = 8,
}: {
  deviceMemory?: number;
  hardwareConcurrency?: number;
}): FrameInterval {
  return deviceMemory <= 2 || (deviceMemory <= 4 && hardwareConcurrency <= 2) ? 100 : FRAME_MS;
}
