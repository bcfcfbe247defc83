import { toDurationMs } from '#domain/core/time';
import type { Part } from '../core/lifecycle';
import type { Clock } from '../core/ports';
import type { Http } from '../http/client';
import { features } from '../http/common';

/** Wait this long after the start or a reconnect, ms, so as not to delay the first prices. */
const ASKED_AFTER_MS = toDurationMs(3000);

/** Finds out which optional parts of the protocol the server has (protocol.md#features). */
export function createFeatures(
  clock: Clock,
  http: Http,
  found: (features: readonly string[]) => void,
): Part {
  let cancel = () => {};

  async function ask(): Promise<void> {
    const result = await features(http);
    if (result.ok) found(result.data);
  }

  function askSoon(): void {
    cancel();
    cancel = clock.after(ASKED_AFTER_MS, () => void ask());
  }

  return { started: askSoon, connectedAgain: askSoon };
}
