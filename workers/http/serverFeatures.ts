import { basicInfo } from '#domain/api/common';
import { success } from '#domain/core/result';
import { toDurationMs } from '#domain/core/time';
import { uuidOf } from '#domain/core/uuid';
import type { ServerClock } from '../connection/serverClock';
import type { LateListener } from '../core/lazyListeners';
import type { Clock } from '../core/ports';
import { createRetry } from '../core/retry';
import { callRead } from './ask';
import type { AskFeatures } from './call';
import type { Http } from './client';

/** Wait this long after the start or a reconnect, ms, so as not to delay the first prices. */
const LOAD_DELAY_MS = toDurationMs(3000);

/** Which optional parts of the protocol the server has (protocol.md#features); its answer also tells its clock. */
export interface ServerFeatures {
  /** Undefined before an answer. */
  known(): readonly string[] | undefined;
  ask: AskFeatures;
  /** Asks again, for what may have changed and for the clock. */
  renew(): Promise<void>;
  /** The server may be another version by now. */
  forget(): void;
  /** Finds them out soon after the start and each reconnect, and asks until they are told. */
  readonly listener: LateListener;
}

/** `found` is called with what `part` finds out. */
export function createServerFeatures(
  clock: Clock,
  http: Http,
  called: ServerClock['called'],
  found: (features: readonly string[]) => void,
): ServerFeatures {
  let known: readonly string[] | undefined;
  let cancel = () => {};

  function know(features: readonly string[] | undefined): void {
    known = features;
    http.nameRequests(features?.includes('request_id') ? newUuid : undefined);
  }

  const fetch: AskFeatures = async (signal) => {
    const answered = called();
    const result = await callRead(http, basicInfo, {}, { initial: true, signal });
    if (!result.ok) return result;
    answered(result.data.wall);
    know(result.data.features);
    return success(result.data.features);
  };

  const ask: AskFeatures = async (signal) => (known ? success(known) : fetch(signal));

  async function find(asking: AskFeatures): Promise<void> {
    const result = await asking();
    if (result.ok) {
      again.end();
      found(result.data);
    } else again.schedule(result.failure);
  }
  const again = createRetry(clock, () => void find(ask));

  function findSoon(): void {
    cancel();
    cancel = clock.after(LOAD_DELAY_MS, () => void find(ask));
  }

  return {
    known: () => known,
    ask,
    renew: () => find(fetch),
    forget() {
      // A server that takes no names of requests may refuse the very call that tells so.
      know(undefined);
    },
    listener: { started: findSoon, connectedAgain: findSoon },
  };
}

const newUuid = () => uuidOf(crypto.getRandomValues(new Uint8Array(16)));
