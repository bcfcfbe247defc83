import { computed } from '@preact/signals-core';
import { toUnixMs } from '#domain/core/time';
import { clock } from './age';
import { connectionState } from './frameReceiver';

/** All time zones begin their days on one of these, ms. */
const QUARTER_MS = 900_000;

/** The quarter of an hour of the recording that the market replays; undefined where its prices are of today. */
export const recordedTime = computed(() => {
  const { marketOffset = 0, recorded } = connectionState.value;
  if (!recorded) return undefined;
  return toUnixMs(Math.floor((clock.value + marketOffset) / QUARTER_MS) * QUARTER_MS);
});
