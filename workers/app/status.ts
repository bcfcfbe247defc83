import { appStatus } from '#domain/api/common';
import { toDurationMs, toUnixMs } from '#domain/core/time';
import type { WorkerEvent } from '#domain/worker/workerApi';
import type { LateListener } from '../core/lazyListeners';
import type { Clock } from '../core/ports';
import { callRead } from '../http/ask';
import type { Http } from '../http/client';

/** Check this often while the page is visible, and when it is shown again after that long, ms. */
const CHECK_EVERY_MS = toDurationMs(300_000);

/** Sends the user to another address when the app is out of service (protocol.md#app-status). */
export function createStatusWatch(
  clock: Clock,
  http: Http,
  emit: (event: WorkerEvent) => void,
): LateListener {
  let visible = true;
  let checkedAt = toUnixMs(0);
  let cancel = () => {};

  async function check(): Promise<void> {
    checkedAt = clock.now();
    checkLater();
    const status = await callRead(http, appStatus, {}, { initial: true });
    if (status.ok && status.data.lost) emit({ type: 'leave', url: status.data.lossUrl });
  }

  function checkLater(): void {
    cancel();
    cancel = visible ? clock.after(CHECK_EVERY_MS, () => void check()) : () => {};
  }

  return {
    started(options) {
      visible = options.visible;
      void check();
    },
    connectedAgain: () => void check(),
    visibilityChanged(now) {
      visible = now;
      if (visible && clock.now() - checkedAt >= CHECK_EVERY_MS) void check();
      else checkLater();
    },
  };
}
