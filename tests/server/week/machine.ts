import axios, { type AxiosAdapter, AxiosError } from 'axios';
import { WebSocket } from 'ws';
import type { Clock, RawSocket } from '../../../workers/core/ports';
import type { FakeClock } from '../support/fakeClock';
import { flushed } from '../support/flushed';

const send = axios.getAdapter('fetch');

/** A websocket of the machine to the real server. */
class MachineSocket implements RawSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  /** Its network is gone: nothing passes, and neither side notices. */
  dead = false;
  readonly real: WebSocket;

  constructor(url: string, machine: Machine) {
    this.real = new WebSocket(url);
    const arrives = (event: () => void) => () => {
      if (!this.dead) machine.whenAwake(event);
    };
    this.real.on('open', () => arrives(() => this.onopen?.())());
    this.real.on('message', (data) => arrives(() => this.onmessage?.({ data: String(data) }))());
    this.real.on('close', () => arrives(() => this.onclose?.())());
    this.real.on('error', () => arrives(() => this.onerror?.())());
  }

  send(text: string): void {
    if (!this.dead && this.real.readyState === WebSocket.OPEN) this.real.send(text);
  }

  close(): void {
    this.real.terminate();
  }

  flushed(): Promise<void> {
    return flushed(this.real);
  }
}

/** The machine of one user: it sleeps, changes networks, and loses messages in flight. */
export class Machine implements Clock {
  asleep = false;
  online = true;
  /** The next calls that change something lose this. */
  loses: ('request' | 'reply')[] = [];
  /** HTTP requests that the server has not answered. */
  inFlight = 0;
  private readonly clock: FakeClock;
  private readonly sockets = new Set<MachineSocket>();
  private overdue: (() => void)[] = [];

  constructor(clock: FakeClock) {
    this.clock = clock;
  }

  readonly now = () => this.clock.now();

  /** A timer that is due while the machine sleeps runs when it wakes. */
  readonly after = (ms: number, task: () => void): (() => void) => {
    let cancelled = false;
    const cancel = this.clock.after(ms, () =>
      this.whenAwake(() => {
        if (!cancelled) task();
      }),
    );
    return () => {
      cancelled = true;
      cancel();
    };
  };

  whenAwake(event: () => void): void {
    if (this.asleep) this.overdue.push(event);
    else event();
  }

  wake(): void {
    this.asleep = false;
    for (const event of this.overdue.splice(0)) event();
  }

  /** Another network: the sockets of the one before are dead without knowing it. */
  changeNetwork(): void {
    for (const socket of this.sockets) socket.dead = true;
  }

  readonly openSocket = (url: string): RawSocket => {
    const socket = new MachineSocket(url, this);
    if (this.online) {
      this.sockets.add(socket);
      socket.real.on('close', () => this.sockets.delete(socket));
    } else {
      socket.dead = true;
      socket.close();
    }
    return socket;
  };

  readonly adapter: AxiosAdapter = async (config) => {
    const lost = new AxiosError('lost', AxiosError.ERR_NETWORK, config);
    if (!this.online) throw lost;
    const loses = config.headers.has('Idempotency-Key') ? this.loses.shift() : undefined;
    if (loses === 'request') throw lost;
    this.inFlight++;
    const answer = await send(config).finally(() => {
      this.inFlight--;
    });
    await new Promise<void>((resolve) => this.whenAwake(resolve));
    if (loses === 'reply' || !this.online) throw lost;
    return answer;
  };

  async flushed(): Promise<void> {
    if (!this.asleep) await Promise.all([...this.sockets].map((socket) => socket.flushed()));
  }
}
