import type { GatewayEvent } from '#domain/gateway/gateway';
import type { Part } from '../core/lifecycle';
import type { Http } from '../http/client';
import { appStatus } from '../http/common';

/** Sends the user to another address when the app is out of service (protocol.md#app-status). */
export function createStatusWatch(http: Http, emit: (event: GatewayEvent) => void): Part {
  async function check(): Promise<void> {
    const status = await appStatus(http);
    if (status.ok && status.data.lost && status.data.lossUrl)
      emit({ type: 'leave', url: status.data.lossUrl });
  }

  return { started: () => void check(), connectedAgain: () => void check() };
}
