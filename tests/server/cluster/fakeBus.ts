import type { Answer, Bus } from '../../../server/cluster/bus';
import type { FakeClock } from '../support/fakeClock';

/** Of a message, as a NATS server takes it unless it is told otherwise. */
const MOST_BYTES = 1024 * 1024;

type Handler = (data: Uint8Array) => void;
type AnswerHandler = (data: Uint8Array) => Promise<Answer> | Answer;

/** What all processes of a test share. Messages arrive when the test lets them, in the order of each sender and reader. */
export class FakeBroker {
  /** Whether a message is lost on its way. */
  loses: (subject: string) => boolean = () => false;
  /** When a message arrives, which may be twice: in its turn, or after all that is under way by then. */
  arrives: (subject: string) => readonly ('in turn' | 'late')[] = () => ['in turn'];
  private readonly listeners = new Map<string, Set<{ handler: Handler; bus: FakeBus }>>();
  private readonly answers = new Map<string, Map<FakeBus, AnswerHandler>>();
  private readonly underway: (() => void)[] = [];
  private readonly delayed: (() => void)[] = [];

  connect(): FakeBus {
    return new FakeBus(this);
  }

  /** Delivers everything that is under way. */
  deliver(): void {
    const next = () => this.underway.shift() ?? this.delayed.shift();
    for (let arrival = next(); arrival; arrival = next()) arrival();
  }

  /** Moves a clock, and delivers whatever that sends. */
  advance(clock: FakeClock, ms = 0): Promise<void> {
    return clock.advance(ms, () => {
      this.deliver();
      return true;
    });
  }

  publish(from: FakeBus, subject: string, data: Uint8Array): void {
    if (!from.connected || this.loses(subject)) return;
    const copy = taken(data).slice();
    for (const { handler, bus } of this.listeners.get(subject) ?? []) {
      const arrival = () => {
        if (bus.connected) handler(copy);
      };
      for (const when of this.arrives(subject)) {
        (when === 'late' ? this.delayed : this.underway).push(arrival);
      }
    }
  }

  listen(bus: FakeBus, subject: string, handler: Handler): () => void {
    const entry = { handler, bus };
    const all = this.listeners.get(subject) ?? new Set();
    this.listeners.set(subject, all.add(entry));
    return () => all.delete(entry);
  }

  answer(bus: FakeBus, subject: string, answer: AnswerHandler): void {
    const all = this.answers.get(subject) ?? new Map();
    this.answers.set(subject, all.set(bus, answer));
  }

  ask(from: FakeBus, subject: string, data: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error('timeout'));
      this.underway.push(() => {
        const asked = [...(this.answers.get(subject) ?? [])].filter(([bus]) => bus.connected);
        if (!from.connected || asked.length === 0 || this.loses(subject)) return fail();
        // Read when it is asked, and under way after what was published before.
        const answers = asked.map(([, answer]) => answer(data));
        this.underway.push(() => {
          if (from.connected) firstOf(answers).then(taken).then(resolve, fail);
          else fail();
        });
      });
    });
  }
}

/** Of those that answer the one that was there first. */
function firstOf(answers: readonly ReturnType<AnswerHandler>[]): Promise<Uint8Array> {
  return Promise.any(answers.map(async (answer) => (await answer) ?? Promise.reject()));
}

function taken(data: Uint8Array): Uint8Array {
  if (data.length > MOST_BYTES) throw new Error(`a message of ${data.length} bytes`);
  return data;
}

export class FakeBus implements Bus {
  connected = true;
  private readonly broker: FakeBroker;
  private readonly reconnected: (() => void)[] = [];

  constructor(broker: FakeBroker) {
    this.broker = broker;
  }

  publish(subject: string, data: Uint8Array): void {
    this.broker.publish(this, subject, data);
  }

  listen(subject: string, handler: Handler): () => void {
    return this.broker.listen(this, subject, handler);
  }

  ask(subject: string, data: Uint8Array): Promise<Uint8Array> {
    return this.broker.ask(this, subject, data);
  }

  answer(subject: string, answer: AnswerHandler): void {
    this.broker.answer(this, subject, answer);
  }

  onReconnected(listener: () => void): void {
    this.reconnected.push(listener);
  }

  reconnect(): void {
    this.connected = true;
    for (const listener of this.reconnected) listener();
  }

  async close(): Promise<void> {
    this.connected = false;
  }
}
