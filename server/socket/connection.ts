import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { PrivateTopic, ServerMessage } from '#domain/api/socket';
import type { Language } from '#domain/core/language';
import type { UnixMs } from '#domain/core/time';
import { errorText } from '../core/errorText';
import type { Log } from '../core/log';
import { type MessageKey, type MessageParams, translate } from '../core/translate';
import { isUnavailable } from '../db/unavailable';
import type { LoginSocket, Logins } from './logins';
import { type ClientMessage, readMessage, readSubscriptions, readTopic } from './messages';
import { Outbox, type OutboxContext } from './outbox';
import { jsonFrame } from './textFrame';
import type { Topics } from './topics';

export interface ConnectionContext extends OutboxContext {
  readonly topics: Topics;
  readonly logins: Logins;
  readonly log: Log;
  /** The market's clock. */
  marketNow(): UnixMs;
  /** Called at each subscription (--replay-wait). */
  onSubscribed(): void;
}

/**
 * Close connections that send more than this in one second: each message counts 1, and 1 for each
 * KiB.
 */
const MAX_IN_SECOND = 300;
/** Close code of a socket that can't be served now. */
const TRY_AGAIN_LATER = 1013;
/** Messages that may wait during a login: a client sends all its subscriptions behind it. */
const MAX_WAITING = MAX_IN_SECOND;
const POLICY_VIOLATION = 1008;

/** One websocket client: its messages and its subscriptions. */
export class Connection implements LoginSocket {
  readonly outbox: Outbox;
  readonly privateTopics = new Set<PrivateTopic>();
  /** Time of the last data from the client. */
  lastReceivedAt: UnixMs;
  private readonly socket: WebSocket;
  private readonly context: ConnectionContext;
  private readonly language: Language;
  private readonly bars = new Set<number>();
  /** Messages received during a login; they are handled after it. */
  private waiting: ClientMessage[] | undefined;
  private second = 0;
  private inSecond = 0;

  constructor(socket: WebSocket, stream: Duplex, context: ConnectionContext, language: Language) {
    this.socket = socket;
    this.context = context;
    this.language = language;
    this.outbox = new Outbox(socket, stream, context);
    this.lastReceivedAt = context.now();
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    for (const sign of ['ping', 'pong'] as const) {
      socket.on(sign, () => {
        this.lastReceivedAt = context.now();
      });
    }
    socket.on('close', () => this.leave());
    // ws closes the socket itself; without a listener the error would end the process.
    socket.on('error', () => {});
  }

  /** Carries out what the address of the socket subscribes, before any message of it. */
  subscribeAhead(url: string): void {
    const subscriptions = readSubscriptions(url);
    if (!subscriptions) this.sendError('server.socket.notUnderstood');
    for (const message of subscriptions ?? []) this.handle(message);
  }

  /** Sends a ping frame, which every websocket client answers by itself. */
  ping(): void {
    this.socket.ping();
  }

  /** Starts the closing handshake. A client that does not answer stays until `outbox.terminate`. */
  close(code: number): void {
    this.socket.close(code);
  }

  private receive(data: RawData, isBinary: boolean): void {
    this.lastReceivedAt = this.context.now();
    if (this.isFlooding(data)) {
      this.close(POLICY_VIOLATION);
      return;
    }
    const message = isBinary ? undefined : readMessage(data.toString());
    if (!message) this.sendError('server.socket.notUnderstood');
    else if (!this.waiting) this.handle(message);
    else if (this.waiting.push(message) > MAX_WAITING) this.close(POLICY_VIOLATION);
  }

  private handle(message: ClientMessage): void {
    switch (message.type) {
      case 'ping':
        this.send({
          type: 'pong',
          now: this.context.marketNow(),
          wall: this.context.now(),
        });
        break;
      case 'sub':
        this.subscribe(message);
        break;
      case 'unsub':
        this.unsubscribe(message.topic);
        break;
      case 'login':
        this.waiting = [];
        void this.login(message.token);
        break;
      case 'logout':
        this.context.logins.logout(this);
    }
  }

  private subscribe({
    topic,
    codes,
    interval = 0,
    compact = 0,
  }: Extract<ClientMessage, { type: 'sub' }>): void {
    const { topics } = this.context;
    const known = readTopic(topic, topics.byCode);
    if (!known) {
      this.sendError('server.socket.unknownTopic', { topic });
      return;
    }
    this.context.onSubscribed();
    if (known.kind === 'private') {
      this.privateTopics.add(known.topic);
    } else if (known.kind === 'bars') {
      this.bars.add(known.instrument.id);
      topics.bars.subscribe(this.outbox, known.instrument);
    } else {
      const { ids, unknown } = topics.idsOf(codes);
      topics.quotes.subscribe(this.outbox, {
        instrumentIds: ids,
        interval,
        compact: compact === 1,
      });
      // The known codes are subscribed all the same.
      if (unknown.length > 0) {
        this.sendError('server.socket.unknownCodes', { codes: unknown.slice(0, 10).join(', ') });
      }
    }
  }

  private unsubscribe(topic: string): void {
    const { topics } = this.context;
    const known = readTopic(topic, topics.byCode);
    if (!known) {
      this.sendError('server.socket.unknownTopic', { topic });
      return;
    }
    if (known.kind === 'private') {
      this.privateTopics.delete(known.topic);
    } else if (known.kind === 'bars') {
      this.bars.delete(known.instrument.id);
      topics.bars.unsubscribe(this.outbox, known.instrument.id);
    } else {
      topics.quotes.unsubscribe(this.outbox);
    }
  }

  private async login(token: string): Promise<void> {
    const isOpen = () => this.socket.readyState === this.socket.OPEN;
    try {
      const good = await this.context.logins.login(this, token, isOpen);
      if (good !== undefined) this.send({ type: 'login', code: good ? 1 : 999 });
    } catch (error) {
      if (!isUnavailable(error)) this.context.log.error(`websocket login: ${errorText(error)}`);
      // It may be logged in without its pushes. The client connects again and logs in then.
      return this.close(TRY_AGAIN_LATER);
    }
    // It has left already: what it subscribed now would stay for ever.
    if (!isOpen()) return;
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    for (const [index, message] of waiting.entries()) {
      this.handle(message);
      // The new login handles the remaining messages.
      if (this.waiting) {
        this.waiting = waiting.slice(index + 1);
        return;
      }
    }
  }

  private leave(): void {
    const { topics, logins } = this.context;
    logins.logout(this);
    topics.quotes.unsubscribe(this.outbox);
    for (const instrumentId of this.bars) topics.bars.unsubscribe(this.outbox, instrumentId);
  }

  private isFlooding(data: RawData): boolean {
    const second = Math.floor(this.lastReceivedAt / 1000);
    if (second !== this.second) {
      this.second = second;
      this.inSecond = 0;
    }
    // ws delivers one Buffer by default.
    this.inSecond += 1 + (data as Buffer).byteLength / 1024;
    return this.inSecond > MAX_IN_SECOND;
  }

  private send(message: ServerMessage): void {
    this.outbox.send(jsonFrame(message));
  }

  private sendError(key: MessageKey, params?: MessageParams): void {
    this.send({ type: 'error', msg: translate(this.language, key, params) });
  }
}
