import { decodeMessage } from '#domain/api/socket';
import type { Logger } from '../core/ports';

/** Takes the message of one type; `payload` is its `data`, `message` the whole of it. */
type Handler = (payload: unknown, message: Readonly<Record<string, unknown>>) => void;

/** Routes messages by their type: one look-up each, whatever the number of topics. */
export interface Dispatch {
  receive(data: unknown): void;
  /** A type has one owner, which knows what is to be done with it. */
  on(type: string, handler: Handler): void;
  off(type: string): void;
}

const SHOWN_OF_A_BAD_MESSAGE = 200;

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
    ? data.slice(0, SHOWN_OF_A_BAD_MESSAGE)
    : Object.prototype.toString.call(data);
}
