import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const END_OF_HEAD = '\r\n\r\n';

interface Waiting {
  resolve(body: string): void;
  reject(error: Error): void;
}

/**
 * A connection that asks one thing after the other. The client of `node:http` costs a
 * quarter of what the server under test does for the same call.
 */
export class RawHttp {
  private readonly socket: Socket;
  private received: Buffer = Buffer.alloc(0);
  private waiting: Waiting | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => this.waiting?.reject(new Error('the server closed a connection')));
  }

  static async open(port: number): Promise<RawHttp> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new RawHttp(socket);
  }

  /** The body of the answer. */
  get(path: string, headers: Record<string, string> = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      this.socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const end = this.received.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const head = this.received.toString('latin1', 0, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
    const begin = end + END_OF_HEAD.length;
    if (Number.isNaN(length)) this.socket.destroy(new Error(head));
    if (this.received.length < begin + length) return;
    const body = this.received.toString('utf8', begin, begin + length);
    this.received = this.received.subarray(begin + length);
    this.waiting?.resolve(body);
  }
}
