import { readFields, readText } from '#domain/core/read';
import { toDurationMs, toUnixMs } from '#domain/core/time';
import type { WorkerEvent } from '#domain/worker/workerApi';
import type { LateListener } from '../core/lazyListeners';
import type { Clock } from '../core/ports';
import type { Http } from '../http/client';

/** The first check waits until the page has loaded what it needs. */
const FIRST_CHECK_MS = toDurationMs(10_000);
const CHECK_EVERY_MS = toDurationMs(600_000);

/** Reports once each version that the page's manifest names and that is not the running one (architecture.md#page-start). */
export function createVersionWatch(
  clock: Clock,
  http: Http,
  emit: (event: WorkerEvent) => void,
): LateListener {
  let origin = '';
  let known = '';
  let checkedAt = toUnixMs(Number.POSITIVE_INFINITY);

  async function check(): Promise<void> {
    checkedAt = clock.now();
    // protocol.md#manifest
    const manifest = readFields(await http.plain(`${origin}/manifest.json`));
    const published = readText(manifest?.['version']);
    if (!published || published === known) return;
    known = published;
    emit({ type: 'new-version' });
  }

  function checkIfDue(): void {
    if (clock.now() - checkedAt >= CHECK_EVERY_MS) void check();
  }

  return {
    started({ page, version }) {
      if (!version) return;
      origin = page.origin;
      known = version;
      clock.after(FIRST_CHECK_MS, () => void check());
    },
    connectedAgain: checkIfDue,
    visibilityChanged(visible) {
      if (visible) checkIfDue();
    },
  };
}
