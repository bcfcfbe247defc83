import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushMessage } from '#domain/api/pushMessage';

/** What a push service got and its browser opened. */
export interface Received {
  /** Of the subscription. */
  name: string;
  headers: IncomingHttpHeaders;
  /** Bytes on the wire. */
  length: number;
  message: PushMessage;
  /** The claims of the VAPID token, whose signature was verified. */
  claims: { aud: string; exp: number; sub: string };
  /** The key that signed them. */
  signedBy: string;
}

/** A browser's side of a subscription. */
interface Browser {
  ecdh: ECDH;
  auth: Buffer;
}

/** A response of the push service. */
export interface Reply {
  status: number;
  headers?: Record<string, string>;
}

const ACCEPTED: Reply = { status: 201 };

/**
 * A push service of the test's own, and the browsers behind it. It takes the messages apart by the letter of RFC 8188, 8291 and
 * 8292 and shares no code with the server's library.
 */
export class PushEndpoint {
  readonly received: Received[] = [];
  /** Requests whose body or token was not as it must be. */
  readonly faults: string[] = [];
  /** What is answered, request by request; then 201. */
  readonly replies: Reply[] = [];
  /** Called with each request that was understood, before it is answered. */
  onMessage: (received: Received) => void | Promise<void> = () => {};
  private readonly browsers = new Map<string, Browser>();
  private readonly server: Server;
  private waiting: (() => void)[] = [];

  private constructor(server: Server) {
    this.server = server;
  }

  static async open(): Promise<PushEndpoint> {
    const server = createServer();
    const opened = new PushEndpoint(server);
    server.on('request', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const reply = await opened.take(request.url ?? '', request.headers, Buffer.concat(chunks));
      response.writeHead(reply.status, reply.headers).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return opened;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Subscribes a browser; returns what its `PushSubscription.toJSON()` would be. */
  subscribe(name: string = randomUUID()) {
    const ecdh = createECDH('prime256v1');
    ecdh.generateKeys();
    const auth = randomBytes(16);
    this.browsers.set(name, { ecdh, auth });
    return {
      endpoint: `${this.origin}/push/${name}`,
      expirationTime: null,
      keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
    };
  }

  /** Resolves once so many messages have come in all. */
  async has(count: number): Promise<Received[]> {
    while (this.received.length < count) {
      if (this.faults.length > 0) throw new Error(this.faults.join('\n'));
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    return this.received;
  }

  /** The ids of what a browser was told. */
  toldTo(name: string): string[] {
    return this.received.filter((each) => each.name === name).map(({ message }) => message.id);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(path: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Reply> {
    const name = path.replace('/push/', '');
    const browser = this.browsers.get(name);
    if (!browser) return { status: 404 };
    const reply = this.replies.shift() ?? ACCEPTED;
    try {
      const { claims, signedBy } = verified(headers.authorization ?? '');
      const message = JSON.parse(decrypted(headers, body, browser)) as PushMessage;
      const got = { name, headers, length: body.length, message, claims, signedBy };
      if (reply.status < 300) this.received.push(got);
      await this.onMessage(got);
    } catch (error) {
      this.faults.push(String(error));
    }
    for (const resume of this.waiting.splice(0)) resume();
    return reply;
  }
}

/** RFC 8188 and 8291: one record of aes128gcm. */
function decrypted(headers: IncomingHttpHeaders, body: Buffer, { ecdh, auth }: Browser): string {
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('not aes128gcm');
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  if (record.length > recordSize) throw new Error('more than one record');
  const shared = ecdh.computeSecret(sender);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', shared, auth, info, 32));
  const derive = (label: string, length: number) =>
    Buffer.from(
      hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${label}\0`), length),
    );
  const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  cipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('the last record has another delimiter');
  return padded.subarray(0, end).toString('utf8');
}

/** RFC 8292: `vapid t=JWT, k=KEY`, signed by ES256. */
function verified(authorization: string): Pick<Received, 'claims' | 'signedBy'> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const { typ, alg } = JSON.parse(Buffer.from(head, 'base64url').toString());
  if (typ !== 'JWT' || alg !== 'ES256') throw new Error(`a token of ${typ}, ${alg}`);
  const point = Buffer.from(key, 'base64url');
  const half = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: half(1), y: half(33) };
  const valid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!valid) throw new Error('the signature is wrong');
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()), signedBy: key };
}
