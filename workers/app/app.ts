import type { GatewayEvent } from '#domain/gateway/gateway';
import type { Part } from '../core/lifecycle';
import type { Clock } from '../core/ports';
import type { Http } from '../http/client';
import { createFeatures } from './features';
import { createStatusWatch } from './status';
import { createVersionWatch } from './version';

export interface AppOptions {
  clock: Clock;
  http: Http;
  emit: (event: GatewayEvent) => void;
  /** Called with the optional parts of the protocol that the server has. */
  onFeatures: (features: readonly string[]) => void;
}

/** What the worker finds out about the app itself: whether it is in service, its version, the server's features. */
export function createApp({ clock, http, emit, onFeatures }: AppOptions): readonly Part[] {
  return [
    createStatusWatch(clock, http, emit),
    createVersionWatch(clock, http, emit),
    createFeatures(clock, http, onFeatures),
  ];
}
