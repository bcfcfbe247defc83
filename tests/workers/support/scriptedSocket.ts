import type { ClientMessage } from '#domain/api/socket';
import type { RawSocket } from '../../../workers/core/ports';

/** A websocket whose server is the test. */
export class ScriptedSocket implements RawSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly sent: ClientMessage[] = [];
  closed = false;
  /** Loses everything: no pongs, no close. */
  deaf = false;
  /** The server's wall clock, which pongs carry. */
  wall: (() => number) | undefined;
  /** The answer to each ping; undefined: none. */
  pong: object | undefined = { type: 'pong' };
  readonly url: string;
  readonly #onSent: ((message: ClientMessage, socket: ScriptedSocket) => void) | undefined;
  /** The handlers at the time of opening, for messages after the socket was discarded. */
  #late: Pick<RawSocket, 'onopen' | 'onmessage' | 'onclose' | 'onerror'> | undefined;

  constructor(url: string, onSent?: (message: ClientMessage, socket: ScriptedSocket) => void) {
    this.url = url;
    this.#onSent = onSent;
  }

  send(text: string): void {
    const message = JSON.parse(text) as ClientMessage;
    this.sent.push(message);
    if (this.deaf) return;
    if (message.type === 'ping' && this.pong) this.receive({ wall: this.wall?.(), ...this.pong });
    this.#onSent?.(message, this);
  }

  close(): void {
    this.closed = true;
  }

  open(): void {
    this.#late = {
      onopen: this.onopen,
      onmessage: this.onmessage,
      onclose: this.onclose,
      onerror: this.onerror,
    };
    this.onopen?.();
  }

  receive(message: unknown): void {
    this.receiveRaw(JSON.stringify(message));
  }

  receiveRaw(data: unknown): void {
    if (!this.deaf) this.onmessage?.({ data });
  }

  drop(): void {
    this.onerror?.();
    this.onclose?.();
  }

  /** Calls the handlers of the time of opening, although the socket was discarded. */
  receiveLate(message: unknown): void {
    this.#late?.onmessage?.({ data: JSON.stringify(message) });
    this.#late?.onopen?.();
    this.#late?.onerror?.();
    this.#late?.onclose?.();
  }

  /** Messages that were sent, without pings. */
  get asked(): ClientMessage[] {
    return this.sent.filter(({ type }) => type !== 'ping');
  }

  get pings(): number {
    return this.sent.length - this.asked.length;
  }
}

/** Opens scripted sockets. */
export class ScriptedSockets {
  readonly all: ScriptedSocket[] = [];
  /** Whether new sockets open; otherwise they neither open nor fail. */
  reachable = true;
  /** Whether new sockets fail immediately, as without a server. */
  refused = false;
  /** Whether new sockets lose everything. */
  deaf = false;
  onSent: ((message: ClientMessage, socket: ScriptedSocket) => void) | undefined;
  /** The server's wall clock, which pongs carry; undefined: they do not. */
  wall: (() => number) | undefined;

  open = (url: string): RawSocket => {
    const socket = new ScriptedSocket(url, (message, from) => this.onSent?.(message, from));
    socket.deaf = this.deaf;
    socket.wall = this.wall;
    this.all.push(socket);
    if (this.refused) queueMicrotask(() => socket.drop());
    else if (this.reachable) queueMicrotask(() => socket.open());
    return socket;
  };

  get last(): ScriptedSocket {
    const socket = this.all.at(-1);
    if (!socket) throw new Error('no socket was opened');
    return socket;
  }
}
