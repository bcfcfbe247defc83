import {
  connect,
  headers,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
} from '@nats-io/transport-node';
import { errorText } from '../core/errorText';
import type { Log } from '../core/log';
import type { Span, Tracing } from '../core/trace';
import type { Answer, Bus } from './bus';

const ASK_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
const PING_MS = 2_000;
const TRACEPARENT = 'traceparent';

/** A NATS server. While it can't be reached nothing is sent, and nothing kept to be sent later. */
export class NatsBus implements Bus {
  private readonly connection: NatsConnection;
  private readonly log: Log;
  private readonly tracing: Tracing | undefined;
  private readonly listeners = new Set<() => void>();
  private connected = true;

  private constructor(connection: NatsConnection, log: Log, tracing: Tracing | undefined) {
    this.connection = connection;
    this.log = log;
    this.tracing = tracing;
    void this.watch();
  }

  /** Throws an error for the operator where no server answers. `ended`: the connection is closed for good, and not by `close`. */
  static async open(
    url: string,
    name: string,
    log: Log,
    tracing?: Tracing,
    ended?: (error: Error) => void,
  ): Promise<NatsBus> {
    try {
      const connection = await connect({
        ...optionsOf(url),
        name,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 250,
        reconnectJitter: 250,
        // A server that is being set up refuses logins. After two of them the library would never try again.
        ignoreAuthErrorAbort: true,
        timeout: CONNECT_TIMEOUT_MS,
        // A link that swallows everything breaks no connection: it is known after three of them.
        pingInterval: PING_MS,
        maxPingOut: 2,
      });
      void connection.closed().then((error) => {
        if (error) ended?.(new Error(`NATS: ${error.message}`, { cause: error }));
      });
      return new NatsBus(connection, log, tracing);
    } catch (error) {
      throw new Error(`NATS can't be reached: ${(error as Error).message}`, { cause: error });
    }
  }

  publish(subject: string, data: Uint8Array): void {
    if (!this.connected) return;
    const span = this.tracing?.present()?.child(`publish ${kindOf(subject)}`);
    this.connection.publish(subject, data, this.headersOf(span));
    span?.end();
  }

  listen(subject: string, handler: (data: Uint8Array) => void): () => void {
    const subscription = this.connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return this.log.error(`NATS, ${subject}: ${error.message}`);
        this.traced('receive', message, () => handler(message.data));
      },
    });
    return () => {
      if (!this.connection.isClosed()) subscription.unsubscribe();
    };
  }

  async ask(subject: string, data: Uint8Array): Promise<Uint8Array> {
    if (!this.connected) throw new Error('NATS is away');
    const span = this.tracing?.present()?.child(`ask ${kindOf(subject)}`);
    const options = { timeout: ASK_TIMEOUT_MS, ...this.headersOf(span) };
    try {
      const { data: answer } = await this.connection.request(subject, data, options);
      span?.end();
      return answer;
    } catch (error) {
      span?.end(error);
      throw error;
    }
  }

  answer(subject: string, handler: (data: Uint8Array) => Promise<Answer> | Answer): void {
    const respond = async (message: Msg) => {
      try {
        // Not awaited where it is there: what was published before has to arrive before.
        const answer = this.traced('answer', message, () => handler(message.data));
        const bytes = answer instanceof Promise ? await answer : answer;
        if (bytes) message.respond(bytes);
      } catch (error) {
        this.log.error(`NATS, ${subject}: ${errorText(error)}`);
      }
    };
    this.connection.subscribe(subject, {
      callback: (error, message) => void (error ?? respond(message)),
    });
  }

  onReconnected(listener: () => void): void {
    this.listeners.add(listener);
  }

  async close(): Promise<void> {
    if (!this.connection.isClosed()) await this.connection.close();
  }

  /** Runs `action` as a part of the trace that the sender has begun. */
  private traced<T>(verb: string, message: Msg, action: () => T): T {
    const traceparent = message.headers?.get(TRACEPARENT);
    if (!traceparent || !this.tracing) return action();
    const span = this.tracing.received(`${verb} ${kindOf(message.subject)}`, traceparent);
    const result = span.run(action);
    void Promise.resolve(result).then(
      () => span.end(),
      (error: unknown) => span.end(error),
    );
    return result;
  }

  private headersOf(span: Span | undefined): { headers?: MsgHdrs } {
    if (!span || !this.tracing) return {};
    const own = headers();
    own.set(TRACEPARENT, this.tracing.traceparent(span));
    return { headers: own };
  }

  private async watch(): Promise<void> {
    let told = '';
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') {
        if (this.connected) this.log.warn('NATS: the connection broke.');
        this.connected = false;
      } else if (status.type === 'error') {
        // A refused login fails at each try.
        if (status.error.message !== told) this.log.error(`NATS: ${status.error.message}`);
        told = status.error.message;
      } else if (status.type === 'reconnect') {
        this.connected = true;
        told = '';
        this.log.info('NATS is back.');
        for (const listener of this.listeners) listener();
      }
    }
  }
}

/** A subject without the numbers of users: names of spans are few. */
function kindOf(subject: string): string {
  return subject.replace(/^fulcrum\./, '').replace(/\.\d+/g, '');
}

/** `nats://user:password@host:port`, or `tls://`; several servers by commas. */
function optionsOf(url: string) {
  const servers = url.split(',').map((each) => new URL(each.trim()));
  const [{ username, password } = { username: '', password: '' }] = servers;
  return {
    servers: servers.map(({ host, protocol }) => `${protocol}//${host}`),
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
  };
}
