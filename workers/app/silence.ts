import { toDurationMs } from '#domain/core/time';
import type { WorkerEvent } from '#domain/worker/workerApi';
import type { ConnectionTracker } from '../connection/connectionTracker';
import type { LateListener } from '../core/lazyListeners';
import type { Clock } from '../core/ports';
import type { Answering } from '../http/transport';

const LOOK_MS = toDurationMs(1000);
/** So many looks without an answer: this part is loaded three seconds after the start at the latest, so eight seconds in all. */
const MOST_LOOKS = 5;

export interface SilenceOptions {
  clock: Clock;
  connection: { tracker: Pick<ConnectionTracker, 'current' | 'proven'> };
  /** Whether the server has answered a call, whatever it said. */
  answered: () => boolean;
  /** Who has answered the last call. */
  answering: () => Answering;
  base: () => string;
  frames: { emit: (event: WorkerEvent) => void };
}

/** Names the host of the API while it has not answered since the start. Without a network none is expected to. */
export function createSilenceWatch(options: SilenceOptions): LateListener {
  const { clock, connection, answered, base, frames } = options;
  const { tracker } = connection;
  let looks = 0;
  let named: string | undefined;
  let wasPortal = false;

  function name(host: string | undefined): void {
    const isPortal = host !== undefined && options.answering() === 'page';
    if (host !== named || isPortal !== wasPortal) frames.emit({ type: 'silent', host, isPortal });
    named = host;
    wasPortal = isPortal;
  }

  function look(): void {
    const { state } = tracker.current;
    const isThere = answered() || tracker.proven || state === 'live' || state === 'stale';
    looks = isThere || state === 'offline' ? 0 : looks + 1;
    name(looks > MOST_LOOKS ? new URL(base()).host : undefined);
    if (!isThere) clock.after(LOOK_MS, look);
  }

  return { started: look };
}
