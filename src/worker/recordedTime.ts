import { computed } from '@preact/signals-core';
import { toUnixMs } from '#domain/core/time';
import { clock } from './age';
import { connectionState } from './frameReceiver';

const HOUR_MS = 3_600_000;

/** The hour of the recording that the market replays; undefined where its prices are of today. */
export const recordedTime = computed(() => {
  const { marketOffset = 0, recorded } = connectionState.value;
  if (!recorded) return undefined;
  return toUnixMs(Math.floor((clock.value + marketOffset) / HOUR_MS) * HOUR_MS);
});
