import { toUnixMs, type UnixMs } from '#domain/core/time';
import { steadyTime } from './age';
import { connectionState } from './frameReceiver';

/** The market's clock; this device's while that is not known. */
export function marketNow(): UnixMs {
  return toUnixMs(steadyTime() + (connectionState.value.marketOffset ?? 0));
}
