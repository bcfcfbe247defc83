import { toDurationMs } from '#domain/core/time';
import type { LatePart } from '../core/lazyParts';
import type { Clock } from '../core/ports';
import type { Http } from '../http/client';
import { features } from '../http/common';

/** Wait this long after the start or a reconnect, ms, so as not to delay the first prices. */
const LOAD_DELAY_MS = toDurationMs(3000);

/** Finds out which optional parts of the protocol the server has (protocol.md#features). */
export function createFeatures(
  clock: Clock,
  http: Http,
  loaded: (features: readonly string[]) => void,
): LatePart {
  let cancel = () => {};

  async function load(): Promise<void> {
    const result = await features(http);
    if (result.ok) loaded(result.data);
  }

  function loadSoon(): void {
    cancel();
    cancel = clock.after(LOAD_DELAY_MS, () => void load());
  }

  return { started: loadSoon, connectedAgain: loadSoon };
}
