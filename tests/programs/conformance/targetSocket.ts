import { once } from 'node:events';
import { WebSocket } from 'ws';

export type Message = Record<string, unknown> & { type: string };

/** A websocket of the server under test, which keeps what it received. */
export class TargetSocket {
  readonly received: Message[] = [];
  private readonly socket: WebSocket;
  private readonly patienceMs: number;

  private constructor(socket: WebSocket, patienceMs: number) {
    this.socket = socket;
    this.patienceMs = patienceMs;
    socket.on('message', (data) => {
      this.received.push(JSON.parse(String(data)) as Message);
      socket.emit('kept');
    });
    socket.on('error', () => {});
  }

  /** `patienceMs`: how long a message may take. */
  static async open(url: URL, patienceMs: number): Promise<TargetSocket> {
    const socket = new WebSocket(url);
    const kept = new TargetSocket(socket, patienceMs);
    await once(socket, 'open');
    return kept;
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The first message from `from` on that fits; throws where none comes. */
  async next(what: string, fits: (message: Message) => boolean, from = 0): Promise<Message> {
    const signal = AbortSignal.timeout(this.patienceMs);
    for (;;) {
      const found = this.received.slice(from).find(fits);
      if (found) return found;
      try {
        await once(this.socket, 'kept', { signal });
      } catch {
        throw new Error(`${what} did not come within ${this.patienceMs / 1000} s`);
      }
    }
  }

  /** Resolves when the server has answered everything that was sent before. */
  async settled(): Promise<void> {
    const from = this.received.length;
    this.send({ type: 'ping' });
    await this.next('a pong', ({ type }) => type === 'pong', from);
  }

  async login(token: string): Promise<unknown> {
    const from = this.received.length;
    this.send({ type: 'login', token });
    return (await this.next('the answer to a login', ({ type }) => type === 'login', from))['code'];
  }

  close(): void {
    this.socket.terminate();
  }
}
