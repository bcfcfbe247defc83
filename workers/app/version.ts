import { readFields, readText } from '#domain/core/read';
import { type DurationMs, toDurationMs, toUnixMs } from '#domain/core/time';
import type { WorkerEvent } from '#domain/worker/workerApi';
import type { LateListener } from '../core/lazyListeners';
import type { Clock } from '../core/ports';
import type { Http } from '../http/client';

/** The first check waits until the page has loaded what it needs. */
const FIRST_CHECK_MS = toDurationMs(10_000);
const CHECK_EVERY_MS = toDurationMs(600_000);

/** Servers are often replaced while a connection breaks twice, and each check is a request. */
const CHECK_AGAIN_MS = toDurationMs(60_000);

/**
 * Reports once each version that the page's manifest names and that is not the running one (architecture.md#page-start), and
 * again where the server has come to require it.
 */
export function createVersionWatch(
  clock: Clock,
  http: Http,
  emit: (event: WorkerEvent) => void,
): LateListener {
  let origin = '';
  let own = '';
  let told = '';
  let checkedAt = toUnixMs(Number.POSITIVE_INFINITY);

  async function check(): Promise<void> {
    checkedAt = clock.now();
    // protocol.md#manifest
    const manifest = readFields(await http.plain(`${origin}/manifest.json`));
    const version = readText(manifest?.['version']);
    if (!version || version === own) return;
    const event = {
      type: 'new-version',
      version,
      required: manifest?.['required'] === true,
    } as const;
    const telling = `${version} ${event.required}`;
    if (telling === told) return;
    told = telling;
    emit(event);
  }

  function checkAfter(ms: DurationMs): void {
    if (clock.now() - checkedAt >= ms) void check();
  }

  return {
    started({ page, version }) {
      if (!version) return;
      origin = page.origin;
      own = version;
      clock.after(FIRST_CHECK_MS, () => void check());
    },
    connectedAgain: () => checkAfter(CHECK_AGAIN_MS),
    visibilityChanged(visible) {
      if (visible) checkAfter(CHECK_EVERY_MS);
    },
  };
}
