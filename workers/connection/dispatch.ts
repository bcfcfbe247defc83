import { decodeMessage } from '#domain/api/socket';
import type { Logger } from '../core/ports';

/** Handles messages of one type. `payload` is the field `data` of `message`. */
type Handler = (payload: unknown, message: Readonly<Record<string, unknown>>) => void;

/** Passes each message to the handler of its type, by one look-up. Malformed messages are logged (protocol.md#malformed-messages). */
export interface Dispatch {
  receive(data: unknown): void;
  /** Sets the handler of a type; each type has one. */
  on(type: string, handler: Handler): void;
  off(type: string): void;
}

const LOGGED_LENGTH = 200;

export function createDispatch(logger: Logger): Dispatch {
  const handlers = new Map<string, Handler>();
  return {
    receive(data) {
      const message = decodeMessage(data);
      if (message === 'invalid-json') {
        logger.log('websocket: not JSON', excerpt(data));
      } else if (message === 'untyped') {
        logger.warn('websocket: no type', excerpt(data));
      } else {
        handlers.get(message.type)?.(message['data'], message);
      }
    },
    on(type, handler) {
      handlers.set(type, handler);
    },
    off(type) {
      handlers.delete(type);
    },
  };
}

function excerpt(data: unknown): string {
  return typeof data === 'string'
    ? data.slice(0, LOGGED_LENGTH)
    : Object.prototype.toString.call(data);
}
