import type { Failure } from '#domain/core/result';
import type { GatewayEvent } from '#domain/gateway/gateway';

/** What the user hears of a call that did not succeed (§8): nothing of one that was given up, or ended the session. */
export function emitFailure(emit: (event: GatewayEvent) => void, failure: Failure): void {
  if (failure.kind === 'refused') emit({ type: 'notice', tone: 'error', text: failure.text });
  else if (failure.kind === 'transport') emit({ type: 'failure', failure });
}
