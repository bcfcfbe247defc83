import { computed } from '@preact/signals-core';
import { toUnixMs } from '#domain/core/time';
import { clock } from './age';
import { connectionState } from './frameReceiver';

const HOUR_MS = 3_600_000;
/** A market whose clock is further behind the wall clock replays a recording. */
const MOST_BEHIND_MS = 24 * HOUR_MS;

/** The hour of the recording that the market replays; undefined where its prices are of today. */
export const recordedTime = computed(() => {
  const { marketOffset } = connectionState.value;
  if (marketOffset === undefined || marketOffset > -MOST_BEHIND_MS) return undefined;
  return toUnixMs(Math.floor((clock.value + marketOffset) / HOUR_MS) * HOUR_MS);
});
