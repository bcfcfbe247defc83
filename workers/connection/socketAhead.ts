import type { RawSocket } from '../core/ports';

/** A browser's socket. */
export interface BrowserSocket extends RawSocket {
  readonly readyState: number;
}

const CONNECTING = 0;
const OPEN = 1;

/**
 * Opens a socket before the page has started the worker: it connects while the page's own script is on its way (D130).
 * Returns how to open sockets: the first one of the same address is this one, if it still lives.
 */
export function openAhead(
  first: string,
  connect: (url: string) => BrowserSocket,
): (url: string) => RawSocket {
  let ahead: BrowserSocket | undefined = connect(first);
  return (url) => {
    const ready = ahead;
    ahead = undefined;
    if (ready && url === first && ready.readyState === CONNECTING) return ready;
    if (ready && url === first && ready.readyState === OPEN) {
      // It has told of its opening already.
      queueMicrotask(() => ready.onopen?.());
      return ready;
    }
    ready?.close();
    return connect(url);
  };
}
