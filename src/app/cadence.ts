import { FRAME_MS } from '#domain/gateway/gateway';

/** Paces of the list, ms between two frames (D68). */
export const PACES = [FRAME_MS, 100, 200] as const;
export type Pace = (typeof PACES)[number];

/** Drawing takes at most this share of the React thread, or frames come more rarely. */
const TOO_MUCH = 0.25;
/** Below this share of the next faster pace they come more often again. */
const LITTLE = 0.15;

/**
 * The pace that a measured cost of a frame asks for, in ms. `now`: the present
 * one; `least`: the fastest that the device is trusted with.
 */
export function paceFor(cost: number, now: Pace, least: Pace): Pace {
  const at = PACES.indexOf(now);
  const slower = PACES[at + 1];
  if (slower && cost > now * TOO_MUCH) return slower;
  const faster = PACES[at - 1];
  if (faster && faster >= least && cost < faster * LITTLE) return faster;
  return now;
}

/** The fastest pace for a device that says how strong it is; most say something. */
export function leastPace({
  deviceMemory = 8,
  hardwareConcurrency = 8,
}: {
  deviceMemory?: number;
  hardwareConcurrency?: number;
}): Pace {
  return deviceMemory <= 2 || (deviceMemory <= 4 && hardwareConcurrency <= 2) ? 100 : FRAME_MS;
}
