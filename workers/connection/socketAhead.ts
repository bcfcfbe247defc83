import { LONGEST_IN_ADDRESS, MOST_IN_ADDRESS, type SubscribeMessage } from '#domain/api/socket';
import type { RawSocket } from '../core/ports';

/** A browser's socket. */
export interface BrowserSocket extends RawSocket {
  readonly readyState: number;
}

/** A socket that was opened before the page has started the worker, and what has come over it. */
export interface SocketAhead {
  readonly url: string;
  readonly socket: BrowserSocket;
  readonly received: readonly unknown[];
}

declare global {
  /** The socket of the worker's first stage; none where there was no such stage, or no certain address. */
  var socketAhead: SocketAhead | undefined;
}

const CONNECTING = 0;
const OPEN = 1;

/** The address of a socket that carries out these subscriptions first, where it can have them (protocol.md#subscriptions-in-the-address). */
export function subscribing(url: string, subscriptions: readonly SubscribeMessage[]): string {
  const list = JSON.stringify(subscriptions);
  const { length } = subscriptions;
  const fits = length > 0 && length <= MOST_IN_ADDRESS && list.length <= LONGEST_IN_ADDRESS;
  return fits ? `${url}?sub=${encodeURIComponent(list)}` : url;
}

/**
 * Opens a socket that subscribes with its address: it connects while the rest of the worker is on its way (D130). `heard` gets what
 * comes until the rest listens, which gets it too.
 */
export function openAhead(
  url: string,
  subscriptions: readonly SubscribeMessage[],
  connect: (url: string) => BrowserSocket,
  heard: (data: unknown) => void,
): SocketAhead {
  const socket = connect(subscribing(url, subscriptions));
  const received: unknown[] = [];
  socket.onmessage = ({ data }) => {
    received.push(data);
    heard(data);
  };
  return { url, socket, received };
}

/** Returns how to open sockets: the first one of the same address, whatever it subscribes, is the one opened ahead, if it still lives. */
export function afterAhead(
  ahead: SocketAhead | undefined,
  connect: (url: string) => RawSocket,
): (url: string) => RawSocket {
  let waiting = ahead;
  return (url) => {
    const ready = waiting;
    waiting = undefined;
    if (!ready) return connect(url);
    const { socket, received } = ready;
    const state = url.split('?')[0] === ready.url ? socket.readyState : undefined;
    if (state === CONNECTING) return socket;
    if (state === OPEN) {
      // It has told of its opening, and of what came, already.
      queueMicrotask(() => {
        socket.onopen?.();
        for (const data of received) socket.onmessage?.({ data });
      });
      return socket;
    }
    socket.close();
    return connect(url);
  };
}
