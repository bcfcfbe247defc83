import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { SessionRow } from '#domain/api/common';
import { toUnixMs } from '#domain/core/time';
import type { AccountName } from '../../../../server/account/directory';
import { fromJson, SUBJECTS, toJson } from '../../../../server/cluster/bus';
import { forwardCalls } from '../../../../server/cluster/forwarding';
import { MovedTokens } from '../../../../server/cluster/movedTokens';
import type { MoveStep } from '../../../../server/cluster/moves/steps';
import type { Database } from '../../../../server/db/database';
import { desk, type Outcome } from '../../desk/deskCommand';
import { serve } from '../../http/testHttp';
import { emptyPostgres } from '../../support/database';
import { dataDirectory } from '../../support/dataDirectory';
import { FakeClock } from '../../support/fakeClock';
import { type Reply, TestServer } from '../../support/testServer';
import { FakeBroker, type FakeBus } from '../fakeBus';

/** What becomes of a question between two engines. */
type Fate = 'answered' | 'request lost' | 'answer lost' | 'request late';

/** Delivers at once; what a test does before a question arrives, or with it, is up to the test. */
class StepBroker extends FakeBroker {
  /** The questions of moves so far, and those of the directory that change it. */
  readonly asked: string[] = [];
  before: (name: string) => Promise<void> | void = () => {};
  fateOf: (name: string) => Fate = () => 'answered';
  /** Delivers the request that is late. */
  late: () => Promise<Uint8Array> = async () => new Uint8Array();
  private readonly pump = setInterval(() => this.deliver(), 1);

  override async ask(from: FakeBus, subject: string, data: Uint8Array): Promise<Uint8Array> {
    const name = /^fulcrum\.move\.\d+$/.test(subject)
      ? fromJson<MoveStep>(data).step
      : subject.replace('fulcrum.', '');
    this.asked.push(name);
    await this.before(name);
    const fate = this.fateOf(name);
    if (fate === 'request late') this.late = () => super.ask(from, subject, data);
    if (fate === 'request lost' || fate === 'request late') throw new Error('timeout');
    const answer = await super.ask(from, subject, data);
    if (fate === 'answer lost') throw new Error('timeout');
    return answer;
  }

  stop(): void {
    clearInterval(this.pump);
  }
}

const CALLS = {
  info: '/api/user/info',
  balance: '/v1/api/main/wallet/getBalance',
};

/** Two engines with databases of their own, on one bus, and a gateway that passes calls on to them. */
export class TwoEngines {
  readonly broker = new StepBroker();
  readonly clock = new FakeClock();
  readonly moved = new MovedTokens();
  private readonly databases: Database[] = [];
  private readonly directories = [dataDirectory(), dataDirectory()];
  private readonly buses: FakeBus[] = [];
  private readonly servers: TestServer[] = [];
  private http: FastifyInstance | undefined;
  private url = '';

  static async open(): Promise<TwoEngines> {
    const engines = new TwoEngines();
    for (const shard of [1, 2]) {
      engines.databases.push(await emptyPostgres());
      await engines.start(shard);
    }
    const bus = engines.broker.connect();
    const placeOf = async (name: AccountName) =>
      fromJson<number>(await bus.ask(SUBJECTS.place, toJson(name)));
    await engines.openGateway(placeOf);
    return engines;
  }

  private async openGateway(placeOf: (name: AccountName) => Promise<number>): Promise<void> {
    const addressOf = (shard: number) => this.engine(shard).url;
    let forwarding: Promise<void> | undefined;
    const { app, url } = await serve((http) => {
      forwarding = forwardCalls(http, { addressOf, placeOf, moved: this.moved });
    });
    await forwarding;
    this.http = app;
    this.url = url;
  }

  engine(shard: number): TestServer {
    return this.servers[shard - 1] as TestServer;
  }

  db(shard: number) {
    return (this.databases[shard - 1] as Database).db;
  }

  private async start(shard: number): Promise<void> {
    const bus = this.broker.connect();
    this.buses[shard - 1] = bus;
    const role = ['--role', 'engine', '--bus', 'nats://127.0.0.1:1', '--shard', `${shard}/2`];
    this.servers[shard - 1] = await TestServer.open(this.db(shard), {
      bus,
      concurrent: this.databases[shard - 1]?.concurrent,
      args: [...role, '--no-auto-review', '--no-draw-verify', '--no-traders'],
      environment: { FULCRUM_SECRET: 'the same for both' },
      clock: this.clock,
      directory: this.directories[shard - 1] as string,
    });
    // All follow one feed.
    const times = this.servers.map(({ market }) => market.time);
    this.engine(shard).market.time = toUnixMs(Math.max(...times));
    await this.tick([1, 1.1], [2, 1.3]);
  }

  /** Ends an engine as if its process was killed: nobody hears of it any more. */
  async kill(shard: number): Promise<void> {
    (this.buses[shard - 1] as FakeBus).connected = false;
    await this.engine(shard).close();
  }

  async restart(shard: number): Promise<void> {
    await this.kill(shard);
    await this.start(shard);
  }

  /** A tick of the one feed. */
  async tick(...ticks: [instrumentId: number, price: number][]): Promise<void> {
    for (const server of this.servers) await server.market.tick(...ticks);
  }

  /** A call through the gateway. */
  async call(
    path: string,
    token = '',
    headers: Record<string, string> = {},
    form?: Record<string, string>,
  ): Promise<Reply & { retryAfter: string | null }> {
    const answer = await fetch(this.url + path, {
      headers: { lang: 'en', ...(token && { authorization: token }), ...headers },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      ...((await answer.json()) as Omit<Reply, 'status'>),
    };
  }

  /** As `call`, a changing one. */
  once(path: string, token: string, key: string = randomUUID()) {
    return this.call(path, token, { 'idempotency-key': key });
  }

  async balance(token: string): Promise<[string, string]> {
    const { data } = await this.call(CALLS.balance, token);
    return [data.balance, data.lock_balance];
  }

  /** The engines that serve calls with this token. */
  async servedAt(token: string): Promise<number[]> {
    const served: number[] = [];
    for (const shard of [1, 2]) {
      const { status, code } = await this.engine(shard).get(CALLS.info, { authorization: token });
      if (status === 200 && code === 1) served.push(shard);
    }
    return served;
  }

  desk(shard: number, ...args: string[]): Promise<Outcome> {
    return desk(this.directories[shard - 1] as string, args);
  }

  /** A real user who was born at this engine, with money. */
  async user(shard: number, balance = '10000'): Promise<SessionRow & { email: string }> {
    const email = `${randomUUID()}@example.com`;
    const session = await this.engine(shard).realUser(email);
    if (balance !== '0')
      await this.desk(shard, 'credit', session.user.uid, balance, 'test', '--confirm');
    return { ...session, email };
  }

  async close(): Promise<void> {
    this.broker.before = () => {};
    this.broker.fateOf = () => 'answered';
    await this.http?.close();
    for (const server of this.servers) await server.close();
    this.broker.stop();
    for (const database of this.databases) await database.close();
  }
}
