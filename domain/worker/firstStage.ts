import type { SubscribeMessage } from '../api/socket';
import type { Start } from './workerApi';

/** What the page says once it has painted: the first stage imports the rest then. */
export const PAINTED = 'painted';

/** What the page tells the first stage of its worker, as JSON in the worker's name (architecture.md#page-start). */
export interface FirstStage {
  page: Start['page'];
  /** What the first connection subscribes; empty where the server may not understand it (protocol.md#subscriptions-in-the-address). */
  subscriptions: readonly SubscribeMessage[];
  /** The address of the rest of the worker. */
  rest: string;
}
