import { WebSocket } from 'ws';
import { type DurationMs, toDurationMs } from '#domain/core/time';
import type { Clock } from '../../core/clock';
import type { Log } from '../../core/log';
import { USER_AGENT } from './address';
import type { Codec, LiveEvent } from './codec';
import { chunks } from './codecs/reading';

export interface ConnectionOptions {
  codec: Codec;
  url: string;
  symbols: readonly string[];
  clock: Clock;
  log: Log;
  /** From 0 to 1, for the jitter of new attempts. */
  random: () => number;
  /** Every message as it came, before it is decoded. */
  raw?: ((text: string) => void) | undefined;
}

export interface ConnectionListener {
  event(event: LiveEvent): void;
  /** From now on no trade of the symbol is missed. */
  ready(symbol: string): void;
  /** The exchange refuses the symbol: it is left out until `ask`. */
  refused(symbol: string, reason: string): void;
  /** Trades of all symbols may be missed. */
  lost(reason: string): void;
}

/** Asks for a sign of life after this much silence, and gives up after the second. */
const PING_AFTER = toDurationMs(5_000);
const SILENT_AFTER = toDurationMs(10_000);
const WATCH_EVERY = toDurationMs(1_000);
const HANDSHAKE_WITHIN = toDurationMs(10_000);
const MAX_PAYLOAD = 16 * 1024 * 1024;
/** Between two attempts: doubled from the first to the last, at least half of it is waited. */
const FIRST_RETRY = 500;
/** Within what exchanges allow: Kraken 150 attempts in ten minutes. */
const LAST_RETRY = 4_000;
/** Where the exchange does not want us. */
const REFUSED_RETRY = 60_000;
/** A connection that lived so long was a good one: attempts start from the first again. */
const GOOD_AFTER = toDurationMs(30_000);
/** Messages that are not understood are logged so often. */
const MOST_LOGGED = 5;

/** Messages that ask for symbols. */
interface Request {
  symbols: readonly string[];
  /** Messages without an answer. */
  unanswered: number;
  refused?: string;
}

/** One websocket connection to an exchange, made again whenever it is lost. */
export class LiveConnection {
  private readonly options: ConnectionOptions;
  private readonly listener: ConnectionListener;
  private socket: WebSocket | undefined;
  private stopped = false;
  private attempts = 0;
  private status = 0;
  private openedAt = toDurationMs(0);
  private receivedAt = toDurationMs(0);
  private pinged = false;
  private sequence: number | undefined;
  private readonly subscribed = new Set<string>();
  /** What the exchange has refused: not asked for with each new connection. */
  private readonly leftOut = new Set<string>();
  /** By the name that answers repeat, oldest first. */
  private readonly requests = new Map<string, Request>();
  private lastRequest = 0;
  private unsent: string[] = [];
  private isSending = false;
  private malformed = 0;
  private cancelTimer = () => {};
  private cancelSend = () => {};

  constructor(options: ConnectionOptions, listener: ConnectionListener) {
    this.options = options;
    this.listener = listener;
  }

  /** For how long nothing has come. Whatever was sent before that has come. */
  get quiet(): DurationMs {
    return toDurationMs(this.options.clock.elapsed() - this.receivedAt);
  }

  start(): void {
    const { url } = this.options;
    this.status = 0;
    const socket = new WebSocket(url, {
      headers: { 'User-Agent': USER_AGENT },
      maxPayload: MAX_PAYLOAD,
    });
    this.socket = socket;
    this.cancelTimer = this.options.clock.after(HANDSHAKE_WITHIN, () =>
      this.drop('the handshake was not answered for 10 s'),
    );
    let reason = 'the connection was closed';
    socket.on('open', () => this.opened(socket));
    socket.on('message', (data) => this.received(socket, String(data)));
    socket.on('pong', () => this.noteReceived());
    socket.on('ping', () => this.noteReceived());
    socket.on('error', (error) => {
      // A refused handshake is cut below, which is an error too.
      if (this.status === 0) reason = error.message;
    });
    socket.on('unexpected-response', (_request, response) => {
      this.status = response.statusCode ?? 0;
      reason = `HTTP ${this.status}`;
      response.destroy();
      socket.terminate();
    });
    socket.on('close', (code) =>
      this.closed(socket, code > 1005 || code < 1000 ? reason : `closed, code ${code}`),
    );
  }

  stop(): void {
    this.stopped = true;
    this.cancelTimer();
    this.cancelSend();
    const { socket } = this;
    this.socket = undefined;
    socket?.terminate();
  }

  /** Cuts the connection; another one follows. */
  private drop(reason: string): void {
    const { socket } = this;
    if (!socket) return;
    this.closed(socket, reason);
    socket.terminate();
  }

  private opened(socket: WebSocket): void {
    if (socket !== this.socket) {
      socket.terminate();
      return;
    }
    const { clock, symbols } = this.options;
    this.cancelTimer();
    this.openedAt = clock.elapsed();
    this.sequence = undefined;
    this.noteReceived();
    this.subscribe(symbols.filter((symbol) => !this.leftOut.has(symbol)));
    this.watch();
  }

  /** Asks again for a symbol that was left out. */
  ask(symbol: string): void {
    if (this.leftOut.delete(symbol) && this.socket?.readyState === WebSocket.OPEN)
      this.subscribe([symbol]);
  }

  private subscribe(symbols: readonly string[]): void {
    const { codec } = this.options;
    for (const part of chunks(symbols, codec.limits.symbolsPerRequest)) {
      const name = String(++this.lastRequest);
      const messages = codec.subscribe(part, name);
      this.requests.set(name, { symbols: part, unanswered: messages.length });
      this.unsent.push(...messages);
    }
    if (!this.isSending) this.send();
  }

  /** Sends one message after the other at the pace of the exchange. */
  private send(): void {
    const message = this.unsent.shift();
    this.isSending = message !== undefined;
    if (message === undefined) return;
    this.socket?.send(message);
    const { clock, codec } = this.options;
    this.cancelSend = clock.after(codec.limits.messageEvery, () => this.send());
  }

  private answered({ request, refused, taken }: Extract<LiveEvent, { kind: 'answered' }>): void {
    const [oldest] = this.requests.keys();
    const name = request ?? oldest;
    if (name === undefined) {
      if (refused !== undefined)
        this.options.log.warn(`${this.options.codec.name} refused a request: ${refused}`);
      return;
    }
    const asked = this.requests.get(name);
    if (!asked) return;
    asked.unanswered--;
    if (refused !== undefined) asked.refused = refused;
    if (asked.unanswered > 0) return;
    this.requests.delete(name);
    if (asked.refused === undefined) {
      for (const symbol of asked.symbols) {
        if (taken?.includes(symbol) !== false) this.ready(symbol);
        else this.leaveOut(symbol, 'it is not among the subscriptions');
      }
      return;
    }
    // One of them may have spoiled it for the others.
    const open = asked.symbols.filter((symbol) => !this.subscribed.has(symbol));
    const half = Math.ceil(open.length / 2);
    if (asked.symbols.length === 1) for (const symbol of open) this.leaveOut(symbol, asked.refused);
    else for (const part of [open.slice(0, half), open.slice(half)]) this.subscribe(part);
  }

  private leaveOut(symbol: string, reason: string): void {
    if (this.leftOut.has(symbol)) return;
    this.leftOut.add(symbol);
    this.listener.refused(symbol, reason);
  }

  private watch(): void {
    const { clock, codec } = this.options;
    this.cancelTimer = clock.after(WATCH_EVERY, () => {
      const { socket } = this;
      if (!socket) return;
      const now = clock.elapsed();
      const { quiet } = this;
      if (quiet >= SILENT_AFTER) return this.drop('nothing came for 10 s');
      if (now - this.openedAt >= codec.limits.connectionLife) {
        this.attempts = 0;
        return this.drop('the connection is replaced before the exchange ends it');
      }
      if (quiet >= PING_AFTER && !this.pinged) {
        this.pinged = true;
        if (codec.ping === undefined) socket.ping();
        else socket.send(codec.ping);
      }
      this.watch();
    });
  }

  private noteReceived(): void {
    this.receivedAt = this.options.clock.elapsed();
    this.pinged = false;
  }

  private received(socket: WebSocket, text: string): void {
    if (socket !== this.socket) return;
    this.options.raw?.(text);
    this.noteReceived();
    const { events, sequence } = this.options.codec.decode(text);
    if (sequence !== undefined && !this.follows(sequence)) return;
    for (const event of events) this.handle(event);
  }

  /** Whether a message is to be read: a repeated one is not. A gap says that others were lost. */
  private follows(sequence: number): boolean {
    const last = this.sequence;
    if (last !== undefined && sequence <= last) return false;
    this.sequence = sequence;
    if (last !== undefined && sequence > last + 1) {
      this.options.log.warn(
        `${this.options.codec.name}: messages ${last + 1} to ${sequence - 1} did not come`,
      );
      const symbols = [...this.subscribed];
      this.subscribed.clear();
      this.listener.lost('messages were lost');
      for (const symbol of symbols) this.ready(symbol);
    }
    return true;
  }

  private handle(event: LiveEvent): void {
    const { codec, log } = this.options;
    if (event.kind === 'trade') {
      this.ready(event.symbol);
      this.listener.event(event);
    } else if (event.kind === 'book' || event.kind === 'alive') {
      this.listener.event(event);
    } else if (event.kind === 'subscribed') {
      this.ready(event.symbol);
    } else if (event.kind === 'refused') {
      this.leaveOut(event.symbol, event.reason);
    } else if (event.kind === 'answered') {
      this.answered(event);
    } else if (event.kind === 'reconnect') {
      this.drop('the exchange asked for another connection');
    } else if (event.kind === 'malformed' && this.malformed++ < MOST_LOGGED) {
      log.warn(`${codec.name} sent a message that is not understood: ${event.reason}`);
    }
  }

  private ready(symbol: string): void {
    if (this.subscribed.has(symbol)) return;
    this.subscribed.add(symbol);
    this.listener.ready(symbol);
  }

  private closed(socket: WebSocket, reason: string): void {
    if (socket !== this.socket) return;
    const { clock, codec, log } = this.options;
    this.socket = undefined;
    this.cancelTimer();
    this.cancelSend();
    const lived = this.subscribed.size > 0;
    this.subscribed.clear();
    this.requests.clear();
    this.unsent = [];
    this.isSending = false;
    if (lived) this.listener.lost(reason);
    if (this.stopped) return;
    if (lived && clock.elapsed() - this.openedAt >= GOOD_AFTER) this.attempts = 0;
    const wait = this.retryIn();
    if (lived || this.attempts <= 1) {
      const place =
        this.status === 451 || this.status === 403 ? '; it does not serve this place' : '';
      log.warn(`${codec.name}: ${reason}${place}. Next attempt in ${(wait / 1000).toFixed(1)} s.`);
    }
    this.cancelTimer = clock.after(wait, () => this.start());
  }

  /** Doubled from attempt to attempt, with jitter, so that not all servers come back at once. */
  private retryIn(): DurationMs {
    const { random } = this.options;
    const most =
      this.status >= 400 ? REFUSED_RETRY : Math.min(LAST_RETRY, FIRST_RETRY * 2 ** this.attempts);
    this.attempts++;
    return toDurationMs(Math.round(most * (0.5 + random() / 2)));
  }
}
