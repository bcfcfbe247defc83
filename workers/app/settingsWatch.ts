import { readFields, readInteger } from '#domain/core/read';
import type { WorkerEvent } from '#domain/worker/workerApi';
import type { Connection } from '../connection/connection';
import type { LateListener } from '../core/lazyListeners';

/** Tells the page of a user that the settings of the account were written, or may have been while there was no connection. */
export function createSettingsWatch(
  connection: Pick<Connection, 'dispatch' | 'isLoggedIn'>,
  emit: (event: WorkerEvent) => void,
): LateListener {
  let wasAway = false;
  connection.dispatch.on('SETTINGS', (payload) => {
    if (!connection.isLoggedIn) return;
    emit({ type: 'settings-changed', revision: readInteger(readFields(payload)?.['revision']) });
  });
  return {
    connectedAgain() {
      wasAway = true;
    },
    // Not before: a network may open sockets and let nothing through.
    loggedIn() {
      if (wasAway) emit({ type: 'settings-changed', revision: undefined });
      wasAway = false;
    },
  };
}
