import { FRAME_MS } from '#domain/worker/workerApi';

/** Possible paces of the list: ms between two frames (D68). */
export const PACES = [FRAME_MS, 100, 200] as const;
export type Pace = (typeof PACES)[number];

/** Choose a slower pace when drawing takes more than this share of the React thread. */
const TOO_MUCH = 0.25;
/** Choose a faster pace when drawing would take less than this share at it. */
const LITTLE = 0.15;

/**
 * The pace in ms that fits the measured `cost` of a frame in ms. `now` is the present pace, `least`
 * the fastest one allowed on this device.
 */
export function paceFor(cost: number, now: Pace, least: Pace): Pace {
  const at = PACES.indexOf(now);
  const slower = PACES[at + 1];
  if (slower && cost > now * TOO_MUCH) return slower;
  const faster = PACES[at - 1];
  if (faster && faster >= least && cost < faster * LITTLE) return faster;
  return now;
}

/** The fastest pace allowed on a device, by what the browser reports of it. */
export function fastestPace({
  deviceMemory = 8,
  hardwareConcurrency = 8,
}: {
  deviceMemory?: number;
  hardwareConcurrency?: number;
}): Pace {
  return deviceMemory <= 2 || (deviceMemory <= 4 && hardwareConcurrency <= 2) ? 100 : FRAME_MS;
}
