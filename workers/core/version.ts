import type { UnixMs } from '#domain/core/units';
import type { GatewayEvent } from '#domain/gateway/gateway';
import type { Http } from '../http/client';
import { publishedVersion } from '../http/common';
import type { Clock } from './ports';

/** The first look waits until the page has what it came for. */
const FIRST_CHECK_MS = 10_000;
const CHECK_EVERY_MS = 600_000;

/** Tells once of each version that the page's own manifest names and that is not the running one. */
export interface VersionWatch {
  start(origin: string, running: string): void;
  /** A good moment to look: the page is back, or the server is. */
  check(): void;
}

export function createVersionWatch(
  clock: Clock,
  http: Http,
  emit: (event: GatewayEvent) => void,
): VersionWatch {
  let origin = '';
  let known = '';
  let checkedAt: UnixMs = Number.POSITIVE_INFINITY;

  async function look(): Promise<void> {
    checkedAt = clock.now();
    const published = await publishedVersion(http, origin);
    if (!published || published === known) return;
    known = published;
    emit({ type: 'new-version' });
  }

  return {
    start(pageOrigin, running) {
      if (!running) return;
      origin = pageOrigin;
      known = running;
      clock.after(FIRST_CHECK_MS, () => void look());
    },
    check() {
      if (clock.now() - checkedAt >= CHECK_EVERY_MS) void look();
    },
  };
}
