import { basicInfo } from '#domain/api/common';
import { success } from '#domain/core/result';
import { toDurationMs } from '#domain/core/time';
import { uuidOf } from '#domain/core/uuid';
import type { LateListener } from '../core/lazyListeners';
import type { Clock } from '../core/ports';
import { callRead } from './ask';
import type { AskFeatures } from './call';
import type { Http } from './client';

/** Wait this long after the start or a reconnect, ms, so as not to delay the first prices. */
const LOAD_DELAY_MS = toDurationMs(3000);

/** Which optional parts of the protocol the server has (protocol.md#features). */
export interface ServerFeatures {
  /** Undefined before an answer. */
  known(): readonly string[] | undefined;
  ask: AskFeatures;
  /** The server may be another version by now. */
  forget(): void;
  /** Finds them out soon after the start and each reconnect. */
  readonly listener: LateListener;
}

/** `found` is called with what `part` finds out. */
export function createServerFeatures(
  clock: Clock,
  http: Http,
  found: (features: readonly string[]) => void,
): ServerFeatures {
  let known: readonly string[] | undefined;
  let cancel = () => {};

  const ask: AskFeatures = async (signal) => {
    if (known) return success(known);
    const result = await callRead(http, basicInfo, {}, { initial: true, signal });
    if (!result.ok) return result;
    known = result.data.features;
    http.nameRequests(known.includes('request_id') ? newUuid : undefined);
    return success(known);
  };

  async function find(): Promise<void> {
    const result = await ask();
    if (result.ok) found(result.data);
  }

  function findSoon(): void {
    cancel();
    cancel = clock.after(LOAD_DELAY_MS, () => void find());
  }

  return {
    known: () => known,
    ask,
    forget() {
      known = undefined;
    },
    listener: { started: findSoon, connectedAgain: findSoon },
  };
}

const newUuid = () => uuidOf(crypto.getRandomValues(new Uint8Array(16)));
