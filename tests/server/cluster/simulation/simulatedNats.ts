import { type DurationMs, toDurationMs } from '#domain/core/time';
import { type Answer, type Bus, SUBJECTS } from '../../../../server/cluster/bus';
import type { Clock } from '../../../../server/core/clock';
import type { SeededRandom } from '../../../workers/simulation/seededRandom';
import { Gate } from './gate';
import type { SimulatedProcess } from './simulatedProcess';

/** As of NatsBus. */
const ASK_TIMEOUT_MS = toDurationMs(5_000);
const RECONNECT_MS = [250, 500] as const;
/** Until a client learns that its connection broke, ms: a closed one at once, a silent one later. */
const NOTICE_MS = [1, 2_000] as const;
const LATENCY_MS = [1, 20] as const;
const LATE_MS = [50, 1_500] as const;

type Handler = (message: Message) => void;

interface Message {
  subject: string;
  data: Uint8Array;
  from: SimulatedBus;
  /** When it was sent. */
  at: DurationMs;
  /** Who has asked, and where the answer belongs. */
  question?: number;
}

interface Subscription {
  subject: string;
  handler: Handler;
  ended: boolean;
}

/** What it does wrong at the moment. */
export interface Trouble {
  /** The share of messages that each reader loses. */
  lost: number;
  pushesLost: number;
  /** The share of questions that nobody hears. */
  unanswered: number;
}

export interface NatsOptions {
  clock: Clock;
  random: SeededRandom;
  /** Counts what has happened. */
  note(what: string): void;
  /** Called with all that reaches a process. */
  onDelivered(message: { subject: string; from: string; to: string; data: Uint8Array }): void;
}

/**
 * A NATS server with its network. Between one sender and one reader it keeps the order, over all subjects: both have one
 * connection. Different senders and readers have delays of their own.
 */
export class SimulatedNats {
  readonly options: NatsOptions;
  readonly trouble: Trouble = { lost: 0, pushesLost: 0, unanswered: 0 };
  isUp = true;
  private readonly subscriptions = new Map<string, Map<Subscription, Link>>();
  private readonly links = new Set<Link>();

  constructor(options: NatsOptions) {
    this.options = options;
  }

  connect(process: SimulatedProcess): SimulatedBus {
    return new SimulatedBus(this, process);
  }

  /** All connections break; there is none until `start`. */
  stop(): void {
    this.isUp = false;
    for (const { bus } of [...this.links]) bus.breakConnection();
  }

  start(): void {
    this.isUp = true;
  }

  attach(link: Link): void {
    this.links.add(link);
  }

  detach(link: Link): void {
    link.broken = true;
    this.links.delete(link);
    for (const readers of this.subscriptions.values()) {
      for (const [subscription, own] of readers) if (own === link) readers.delete(subscription);
    }
  }

  subscribe(link: Link, subscription: Subscription): void {
    const readers = this.subscriptions.get(subscription.subject) ?? new Map();
    this.subscriptions.set(subscription.subject, readers.set(subscription, link));
  }

  unsubscribe(subscription: Subscription): void {
    this.subscriptions.get(subscription.subject)?.delete(subscription);
  }

  /** Passes a message on to all readers of its subject; returns whether there are any. */
  route(message: Message): boolean {
    const readers = [...(this.subscriptions.get(message.subject) ?? [])];
    for (const [subscription, link] of readers) {
      if (this.loses(message)) continue;
      link.down.send(() => link.bus.deliver(message, () => subscription.handler(message)));
    }
    return readers.length > 0;
  }

  private loses({ subject, question }: Message): boolean {
    const { random, note } = this.options;
    const { lost, pushesLost, unanswered } = this.trouble;
    const isPush = subject.startsWith(USER);
    const [share, what]: [number, string] =
      question !== undefined
        ? [unanswered, 'request unanswered']
        : isPush
          ? [pushesLost, 'push lost']
          : [lost, 'message lost'];
    if (share === 0 || !random.chance(share)) return false;
    note(what);
    return true;
  }
}

/** By what a reader of the market hears the feed. */
const RECEIVED: readonly string[] = [SUBJECTS.market, answerTo(SUBJECTS.snapshot)];
/** What subjects of users begin with. */
const USER = SUBJECTS.user(0).slice(0, -1);

/** A TCP connection of a client. */
class Link {
  readonly bus: SimulatedBus;
  readonly up: Pipe;
  readonly down: Pipe;
  broken = false;

  constructor(bus: SimulatedBus, clock: Clock, delay: () => number) {
    this.bus = bus;
    this.up = new Pipe(this, clock, delay);
    this.down = new Pipe(this, clock, delay);
  }

  /** Nothing passes until `heal`: what was sent comes then, unless the connection breaks. */
  cut(): void {
    this.up.gate.close();
    this.down.gate.close();
  }

  heal(): void {
    this.up.gate.open();
    this.down.gate.open();
  }
}

/** One direction of a connection: everything comes in order, or never. */
class Pipe {
  readonly gate: Gate;
  private readonly link: Link;
  private readonly clock: Clock;
  private readonly delay: () => number;
  private freeAt = 0;

  constructor(link: Link, clock: Clock, delay: () => number) {
    this.link = link;
    this.clock = clock;
    this.delay = delay;
    this.gate = new Gate(clock);
  }

  send(arrive: () => void): void {
    const now = this.clock.elapsed();
    this.freeAt = Math.max(this.freeAt, now + this.delay());
    this.clock.after(toDurationMs(this.freeAt - now), () =>
      this.gate.pass(() => {
        if (!this.link.broken) arrive();
      }),
    );
  }
}

/** The connection of a process, as NatsBus keeps it. */
export class SimulatedBus implements Bus {
  readonly process: SimulatedProcess;
  /** Its messages take long. */
  isSlow = false;
  /** When the newest update of the market, or snapshot, of those that have arrived was sent. */
  lastSentAt = 0;
  private readonly nats: SimulatedNats;
  private readonly subscriptions = new Set<Subscription>();
  private readonly listeners = new Set<() => void>();
  private readonly questions = new Map<number, (answer: Uint8Array | Error) => void>();
  private asked = 0;
  /** What the client believes. */
  private connected = true;
  private isCut = false;
  private link: Link;
  private lastSent = { at: 0, from: '' };

  constructor(nats: SimulatedNats, process: SimulatedProcess) {
    this.nats = nats;
    this.process = process;
    this.link = this.dial();
    process.onEnd(() => {
      this.nats.detach(this.link);
      for (const question of [...this.questions.keys()]) this.settle(question, new Error('ended'));
    });
    if (!nats.isUp) this.breakConnection();
  }

  publish(subject: string, data: Uint8Array): void {
    this.send({ subject, data: data.slice() });
  }

  listen(subject: string, handler: (data: Uint8Array) => void): () => void {
    return this.subscribe(subject, ({ data }) => handler(data));
  }

  ask(subject: string, data: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (!this.connected) return reject(new Error('NATS is away'));
      const question = ++this.asked;
      const cancel = this.process.clock.after(ASK_TIMEOUT_MS, () =>
        this.settle(question, new Error('timeout')),
      );
      this.questions.set(question, (answer) => {
        cancel();
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      });
      this.send({ subject, data: data.slice(), question });
    });
  }

  answer(subject: string, handler: (data: Uint8Array) => Promise<Answer> | Answer): void {
    const respond = async (message: Message) => {
      const answer = handler(message.data);
      const bytes = answer instanceof Promise ? await answer : answer;
      if (bytes) this.respond(message, bytes.slice());
    };
    // What the handler throws is a silence.
    this.subscribe(subject, (message) => void respond(message).catch(() => {}));
  }

  onReconnected(listener: () => void): void {
    this.listeners.add(listener);
  }

  async close(): Promise<void> {
    this.nats.detach(this.link);
    this.connected = false;
  }

  /** The network loses the server: what is under way comes when it is healed. */
  cut(): void {
    this.isCut = true;
    this.link.cut();
  }

  heal(): void {
    this.isCut = false;
    this.link.heal();
  }

  /** What is under way is lost. The client learns it later, and connects again as soon as it can. */
  breakConnection(): void {
    if (this.link.broken) return;
    const { clock, random } = this.nats.options;
    this.nats.detach(this.link);
    clock.after(toDurationMs(random.between(...NOTICE_MS)), () =>
      this.process.reach(() => {
        this.connected = false;
        this.reconnectLater();
      }),
    );
  }

  deliver(message: Message, receive: () => void): void {
    this.process.reach(() => {
      const { subject, from, at, data } = message;
      const { onDelivered, note } = this.nats.options;
      if (at < this.lastSent.at && from.process.name !== this.lastSent.from) {
        note('messages overtake');
      } else this.lastSent = { at, from: from.process.name };
      if (RECEIVED.includes(subject)) this.lastSentAt = Math.max(this.lastSentAt, at);
      onDelivered({ subject, from: from.process.name, to: this.process.name, data });
      receive();
    });
  }

  private send(message: Pick<Message, 'subject' | 'data' | 'question'>): void {
    if (!this.connected || this.process.hasEnded) return;
    const sent: Message = { ...message, from: this, at: this.process.time.elapsed() };
    if (this.link.broken) this.nats.options.note('message into a broken connection');
    this.link.up.send(() => {
      const isReceived = this.nats.route(sent);
      const { question } = sent;
      if (isReceived || question === undefined) return;
      // As NATS does where nobody answers this subject.
      this.link.down.send(() =>
        this.process.reach(() => this.settle(question, new Error('no responders'))),
      );
    });
  }

  private respond({ from: to, subject, question = 0 }: Message, data: Uint8Array): void {
    if (!this.connected || this.process.hasEnded) return;
    const at = this.process.time.elapsed();
    const answer: Message = { subject: answerTo(subject), data, from: this, at };
    this.link.up.send(() => {
      to.link.down.send(() => to.deliver(answer, () => to.settle(question, data)));
    });
  }

  private settle(question: number, answer: Uint8Array | Error): void {
    const settle = this.questions.get(question);
    this.questions.delete(question);
    settle?.(answer);
  }

  private subscribe(subject: string, handler: Handler): () => void {
    const subscription: Subscription = {
      subject,
      handler: (message) => subscription.ended || handler(message),
      ended: false,
    };
    this.subscriptions.add(subscription);
    if (this.connected) this.sendSubscription(subscription);
    return () => {
      subscription.ended = true;
      this.subscriptions.delete(subscription);
      this.link.up.send(() => this.nats.unsubscribe(subscription));
    };
  }

  private sendSubscription(subscription: Subscription): void {
    const { link } = this;
    link.up.send(() => this.nats.subscribe(link, subscription));
  }

  private dial(): Link {
    const { clock, random, note } = this.nats.options;
    const link = new Link(this, clock, () => {
      if (!this.isSlow) return random.between(...LATENCY_MS);
      note('messages delayed');
      return random.between(...LATE_MS);
    });
    this.nats.attach(link);
    return link;
  }

  private reconnectLater(): void {
    const { random } = this.nats.options;
    this.process.clock.after(toDurationMs(random.between(...RECONNECT_MS)), () => {
      if (!this.nats.isUp || this.isCut) return this.reconnectLater();
      this.link = this.dial();
      this.connected = true;
      for (const subscription of this.subscriptions) this.sendSubscription(subscription);
      for (const listener of this.listeners) listener();
    });
  }
}

/** The subject of an answer, as far as the log is concerned. */
function answerTo(subject: string): string {
  return `answer to ${subject}`;
}
