import type { RawSocket } from '../../../workers/core/ports';
import type { FakeClock } from '../support/fakeClock';
import type { Asked, Reply } from '../support/scriptedHttp';
import { ScriptedSocket, ScriptedSockets } from '../support/scriptedSocket';
import type { Fault } from './faults';
import type { PageLife } from './pageLife';
import type { SeededRandom } from './seededRandom';

/** The timeout of an HTTP call, ms. */
const HTTP_TIMEOUT_MS = 15_000;
/** TCP repeats an unanswered SYN this long after the first one, ms (Linux since 6.5). */
const SYN_AGAIN_MS = [1000, 2000, 3000, 4000];
const GARBAGE = ['', '{', 'null', '[1]', '{"data":1}', '{"type":7}', '{"type":"new"}', '\u0000'];

/** A socket with the network to its server: delayed, and possibly dead. */
export class SimulatedSocket extends ScriptedSocket {
  /** The fault by which everything sent or received is lost from now on. */
  deadUp: Fault | undefined;
  deadDown: Fault | undefined;
  /** When the socket died, or its last pong after that arrived, in time awake (Network.awake). */
  diedAt: number | undefined;
  /** Topics that the client has subscribed. */
  readonly topics = new Set<string>();
  readonly #network: Network;
  readonly #page: PageLife;
  #upAt = 0;
  #downAt = 0;
  #isOver = false;

  constructor(url: string, network: Network, onSent: ScriptedSockets['onSent']) {
    super(url, onSent);
    this.#network = network;
    this.#page = network.page;
    // The simulation answers pings.
    this.pong = undefined;
  }

  override send(text: string): void {
    const { clock } = this.#network;
    this.#upAt = Math.max(this.#upAt, clock.steady + this.#network.latency());
    clock.after(this.#upAt - clock.steady, () => {
      if (this.deadUp) this.#network.note(this.deadUp);
      else if (!this.closed) super.send(text);
    });
  }

  override receiveRaw(data: unknown): void {
    const { clock, network } = { clock: this.#network.clock, network: this.#network };
    const inTime = clock.steady + network.latency();
    this.#downAt = Math.max(this.#downAt, inTime, network.stalledUntil);
    if (network.stalledUntil > inTime) network.note('messages stalled');
    clock.after(this.#downAt - clock.steady, () => {
      if (this.#isOver) return;
      if (this.deadDown) return network.note(this.deadDown);
      this.#page.enter('socket', () => this.#deliver(data));
    });
  }

  #deliver(data: unknown): void {
    const network = this.#network;
    if (this.onmessage) network.receivedAt = network.clock.steady;
    super.receiveRaw(data);
    const isPong = String(data).includes('"pong"');
    // It was on its way when the connection died, and the client cannot know better.
    if (isPong && this.diedAt !== undefined) this.diedAt = network.awake;
    // A ping has one pong.
    if (isPong || !network.strikes('message twice')) return;
    network.note('message twice');
    super.receiveRaw(data);
  }

  override open(): void {
    this.#page.enter('socket', () => super.open());
  }

  override drop(): void {
    this.deadDown = this.deadUp = undefined;
    this.#isOver = true;
    this.#page.enter('socket', () => {
      super.drop();
      this.onmessage = null;
    });
  }

  override receiveLate(message: unknown): void {
    this.#page.enter('socket', () => super.receiveLate(message));
  }

  /** Whether the page has opened it that is open now. */
  get isOfThisPage(): boolean {
    return this.#page === this.#network.page;
  }

  /** Loses everything from now on, without a close. */
  die(fault: Fault, up: boolean, down: boolean): void {
    if (this.diedAt !== undefined || this.onopen === null) return;
    this.diedAt = this.#network.awake;
    if (up) this.deadUp = fault;
    if (down) this.deadDown = fault;
  }
}

/** The network between worker and server, with latency and faults. */
export class Network extends ScriptedSockets {
  readonly clock: FakeClock;
  /** The page that is open. */
  page: PageLife;
  /** How long pages were frozen in total, ms, and since when one is. */
  frozen = 0;
  frozenSince: number | undefined;
  readonly happened = new Map<Fault, number>();
  readonly active = new Set<Fault>();
  stalledUntil = 0;
  /** Whether a proxy refuses websockets. */
  blocked = false;
  /** When a message last reached the client over the socket, or a list over HTTP. */
  receivedAt = 0;
  /** Times from the death of a socket to the attempt that replaced it, ms in which the machine was awake. */
  readonly replacedAfter: number[] = [];
  readonly #random: SeededRandom;
  #kills = 0;
  #asked = 0;
  #answered = 0;
  readonly #hanging: { socket: SimulatedSocket; since: number }[] = [];

  constructor(clock: FakeClock, random: SeededRandom, page: PageLife) {
    super();
    this.clock = clock;
    this.page = page;
    this.#random = random;
  }

  override open = (url: string): RawSocket => {
    const before = this.all.at(-1) as SimulatedSocket | undefined;
    if (before?.diedAt !== undefined && before.isOfThisPage)
      this.replacedAfter.push(this.awake - before.diedAt);
    const socket = new SimulatedSocket(url, this, (message, from) => this.onSent?.(message, from));
    this.all.push(socket);
    this.clock.after(this.latency() * 2, () => this.#answer(socket));
    return socket;
  };

  override get last(): SimulatedSocket {
    return super.last as SimulatedSocket;
  }

  /** Milliseconds in which machine and page were awake so far. */
  get awake(): number {
    return (this.frozenSince ?? this.clock.steady) - this.clock.slept - this.frozen;
  }

  latency(): number {
    return this.#random.between(5, 60);
  }

  note(fault: Fault): void {
    this.happened.set(fault, (this.happened.get(fault) ?? 0) + 1);
  }

  /** Whether an active fault hits this time. */
  strikes(fault: Fault): boolean {
    return this.active.has(fault) && this.#random.chance(0.5);
  }

  begin(fault: Fault, until: number): void {
    this.active.add(fault);
    const socket = this.all.at(-1) as SimulatedSocket | undefined;
    if (fault === 'messages stalled') this.stalledUntil = Math.max(this.stalledUntil, until);
    if (fault === 'link dead') socket?.die(fault, true, true);
    if (fault === 'link dead downwards') socket?.die(fault, false, true);
    if (fault === 'link dead upwards') socket?.die(fault, true, false);
    if (fault === 'offline') socket?.die(fault, true, true);
    if (fault === 'server killed') {
      this.#kills += 1;
      this.note(fault);
    }
    if (fault === 'connection refused' || fault === 'connection hangs') socket?.drop();
  }

  end(fault: Fault): void {
    this.active.delete(fault);
    if (fault === 'socket closed') {
      this.note(fault);
      this.last.drop();
    }
    if (this.#hangs()) return;
    for (const { socket, since } of this.#hanging.splice(0)) {
      const again = SYN_AGAIN_MS.map((ms) => since + ms - this.clock.steady);
      const next = again.find((ms) => ms > 0);
      if (next !== undefined) this.clock.after(next, () => this.#answer(socket));
    }
  }

  /** Sends messages that no server would send. */
  garbage(): void {
    if (!this.strikes('garbage message')) return;
    this.note('garbage message');
    this.last.receiveRaw(
      this.#random.chance(0.1) ? new ArrayBuffer(8) : this.#random.pick(GARBAGE),
    );
  }

  /** A discarded socket delivers a message. */
  ghost(message: object): void {
    const old = this.all.slice(0, -1);
    if (old.length === 0 || !this.strikes('given-up socket speaks')) return;
    this.note('given-up socket speaks');
    this.#random.pick(old).receiveLate(message);
  }

  /** Carries one request to the server and its answer back. */
  async carry(asked: Asked, serve: (asked: Asked) => Reply | Promise<Reply>): Promise<Reply> {
    const mine = ++this.#asked;
    const kills = this.#kills;
    const hit = (fault: Fault) => {
      const strikes = this.strikes(fault);
      if (strikes) this.note(fault);
      return strikes;
    };
    await this.#pass(this.latency());
    if (this.#unreachable() || hit('request lost')) return { fault: 'ERR_NETWORK' };
    if (hit('too many requests')) return { status: 429, headers: { 'retry-after': '1' } };
    const reply = await serve(asked);
    if (hit('gateway error')) return { status: this.#random.pick([500, 502, 503, 504]) };
    if (hit('broken reply')) {
      // Code 1 says that a call is done (protocol.md#answers): no fault makes that up.
      const done = 'data' in reply && !('code' in reply) ? [{ code: 1 }] : [];
      return { raw: this.#random.pick(['<html>', '', {}, ...done]) };
    }
    if (hit('reply too late')) {
      await this.#pass(HTTP_TIMEOUT_MS);
      return { fault: 'ECONNABORTED' };
    }
    await this.#pass(this.strikes('replies crosswise') ? 2000 : this.latency());
    if (mine < this.#answered && this.active.has('replies crosswise'))
      this.note('replies crosswise');
    this.#answered = Math.max(this.#answered, mine);
    if (kills !== this.#kills || this.#unreachable() || hit('reply lost'))
      return { fault: 'ERR_NETWORK' };
    if (asked.path.endsWith('/trade_list')) this.receivedAt = this.clock.steady;
    return reply;
  }

  #hangs(): Fault | undefined {
    const ways: Fault[] = ['connection hangs', 'link dead', 'offline'];
    return ways.find((fault) => this.active.has(fault));
  }

  #unreachable(): boolean {
    const ways: Fault[] = ['server killed', 'link dead', 'offline'];
    return ways.some((fault) => this.active.has(fault));
  }

  #pass(ms: number): Promise<void> {
    return new Promise((resolve) => this.clock.after(ms, resolve));
  }

  #answer(socket: SimulatedSocket): void {
    if (socket.onopen === null) return;
    if (this.blocked) {
      socket.drop();
      return;
    }
    const hangs = this.#hangs();
    if (hangs) {
      this.note(hangs);
      this.#hanging.push({ socket, since: this.clock.steady });
    } else if (this.active.has('connection refused') || this.active.has('server killed')) {
      if (this.active.has('connection refused')) this.note('connection refused');
      socket.drop();
    } else socket.open();
  }
}
