import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** Called with what happens on a socket. */
export interface SocketListener {
  /** A message of so many bytes came; `text` only where the reader asked for texts. */
  message(bytes: number, text: string | undefined): void;
  closed(): void;
}

const OPCODE_TEXT = 1;
const CLOSED_WITH_MASK = 0x80;
/** All sockets read into the same memory: the callback is done with it when it returns. */
const shared = Buffer.allocUnsafe(256 * 1024);

export interface SocketOptions {
  host?: string;
  /** An upgrade that is not answered by then, ms, has failed. Without it a busy server may take its time. */
  timeout?: number;
}

/**
 * A websocket that counts messages without decoding them. The `ws` package costs
 * more for each message than the server under test does, so that with thousands of
 * sockets the client would be what is measured.
 */
export class RawSocket {
  private readonly socket: Socket;
  private readonly listener: SocketListener;
  private readonly wantsText: boolean;
  private upgraded = false;
  private head = '';
  /** Of a frame whose header has not come whole. */
  private header: Buffer = Buffer.alloc(0);
  private opcode = 0;
  private size = 0;
  private left = 0;
  private parts: Buffer[] = [];
  private open: (() => void) | undefined;

  private constructor(port: number, host: string, listener: SocketListener, wantsText: boolean) {
    this.listener = listener;
    this.wantsText = wantsText;
    this.socket = connect({
      port,
      host,
      noDelay: true,
      onread: {
        buffer: shared,
        callback: (count, buffer) => {
          this.read(Buffer.from(buffer.buffer, buffer.byteOffset, count));
          return true;
        },
      },
    });
    this.socket.on('error', () => {});
    this.socket.on('close', () => listener.closed());
  }

  /** Resolves once the server has accepted the upgrade. */
  static async open(
    port: number,
    listener: SocketListener,
    wantsText: boolean,
    { host = '127.0.0.1', timeout }: SocketOptions = {},
  ): Promise<RawSocket> {
    const opened = new RawSocket(port, host, listener, wantsText);
    const timer = timeout && setTimeout(() => opened.socket.destroy(), timeout);
    await new Promise<void>((resolve, reject) => {
      opened.open = resolve;
      opened.socket.once('close', () => reject(new Error('the server refused a websocket')));
      opened.socket.once('connect', () => {
        opened.socket.write(
          `GET /v1/ws HTTP/1.1\r\nHost: ${host}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
            `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
        );
      });
    }).finally(() => clearTimeout(timer));
    return opened;
  }

  send(message: object): void {
    const payload = Buffer.from(JSON.stringify(message));
    const length =
      payload.length < 126
        ? Buffer.from([CLOSED_WITH_MASK | payload.length])
        : Buffer.from([CLOSED_WITH_MASK | 126, payload.length >> 8, payload.length & 255]);
    // A mask of zeros is a valid mask.
    this.socket.write(
      Buffer.concat([Buffer.from([0x80 | OPCODE_TEXT]), length, Buffer.alloc(4), payload]),
    );
  }

  /** Stops reading, as a phone in a tunnel does. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    if (this.upgraded) {
      this.frames(chunk);
      return;
    }
    this.head += chunk.toString('latin1');
    const end = this.head.indexOf('\r\n\r\n');
    if (end < 0) return;
    if (!this.head.startsWith('HTTP/1.1 101')) {
      this.socket.destroy();
      return;
    }
    this.upgraded = true;
    const rest = Buffer.from(this.head.slice(end + 4), 'latin1');
    this.head = '';
    this.open?.();
    if (rest.length > 0) this.frames(rest);
  }

  private frames(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.left === 0) {
        const data =
          this.header.length > 0 ? Buffer.concat([this.header, chunk.subarray(at)]) : chunk;
        const start = this.header.length > 0 ? 0 : at;
        const had = this.header.length;
        const size = headerSize(data, start);
        if (size === undefined || data.length - start < size) {
          this.header = Buffer.from(data.subarray(start));
          return;
        }
        this.header = Buffer.alloc(0);
        this.opcode = (data[start] ?? 0) & 15;
        this.size = payloadSize(data, start);
        this.left = this.size;
        at += size - had;
        if (this.left === 0) this.ended();
        continue;
      }
      const take = Math.min(this.left, chunk.length - at);
      // The memory is reused for the next read: copy what is kept.
      if (this.wantsText) this.parts.push(Buffer.from(chunk.subarray(at, at + take)));
      this.left -= take;
      at += take;
      if (this.left === 0) this.ended();
    }
  }

  private ended(): void {
    const text = this.wantsText ? Buffer.concat(this.parts).toString() : undefined;
    this.parts = [];
    if (this.opcode === OPCODE_TEXT) this.listener.message(this.size, text);
  }
}

/** Bytes of a server's frame header, or undefined while its second byte has not come. */
function headerSize(data: Buffer, at: number): number | undefined {
  if (data.length - at < 2) return undefined;
  const length = (data[at + 1] ?? 0) & 127;
  return length === 127 ? 10 : length === 126 ? 4 : 2;
}

function payloadSize(data: Buffer, at: number): number {
  const length = (data[at + 1] ?? 0) & 127;
  if (length === 127) return Number(data.readBigUInt64BE(at + 2));
  return length === 126 ? data.readUInt16BE(at + 2) : length;
}
