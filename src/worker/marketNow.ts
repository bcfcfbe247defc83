import { toUnixMs, type UnixMs } from '#domain/core/time';
import { steadyTime } from './age';
import { connectionState } from './frameReceiver';

/** The market's clock; this device's while that is not known. */
export function marketNow(): UnixMs {
  return toUnixMs(steadyTime() + (connectionState.value.marketOffset ?? 0));
}

/** The server's clock, which differs from that of a recording; this device's while it is not known. */
export function serverNow(): UnixMs {
  return connectionState.peek().recorded ? toUnixMs(Date.now()) : marketNow();
}
