import { randomUUID } from 'node:crypto';
import type { SessionRow } from '#domain/api/user';
import type { Instrument } from '#domain/market/instrument';
import { type AppOptions, createApp } from '../../../server/app';
import { readCommand } from '../../../server/config/config';
import type { Database, Db } from '../../../server/db/database';
import type { App } from '../../../server/lifecycle';
import type { Market } from '../../../server/market/market';
import { send } from '../http/testHttp';
import { dataDirectory } from './dataDirectory';
import { FakeClock } from './fakeClock';
import { instrument } from './scriptedMarket';
import { SerialMarket } from './serialMarket';

export interface Reply {
  status: number;
  code: number;
  msg: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  data: any;
}

type Params = Record<string, string | number>;

/** What the log tells programs. */
interface LogEvent {
  name: string;
  fields: Readonly<Record<string, unknown>>;
}

interface TestServerOptions extends Pick<AppOptions, 'bus' | 'tracing'> {
  args?: string[];
  environment?: Record<string, string>;
  clock?: FakeClock;
  directory?: string;
  /** Of a built client. */
  clientDirectory?: string;
  onReclaimed?: Database['onReclaimed'];
  /** Of a database that does not outlive the server. */
  closeDatabase?: Database['close'];
  instruments?: Instrument[];
}

/** A whole server with the test's clock, market and console. */
export class TestServer<M extends Market = SerialMarket> {
  readonly app: App;
  readonly market: M;
  readonly clock: FakeClock;
  readonly url: string;
  /** Printed lines, which include all mail and text messages. */
  readonly printed: string[];
  readonly events: LogEvent[];
  readonly directory: string;

  private constructor(
    app: App,
    market: M,
    clock: FakeClock,
    port: number,
    printed: string[],
    events: LogEvent[],
    directory: string,
  ) {
    this.app = app;
    this.market = market;
    this.clock = clock;
    this.url = `http://127.0.0.1:${port}`;
    this.printed = printed;
    this.events = events;
    this.directory = directory;
  }

  static open(db: Db, options: TestServerOptions = {}): Promise<TestServer> {
    const { instruments = [instrument(1, 'EURUSD'), instrument(2, 'GBPUSD')] } = options;
    return TestServer.openWith(db, new SerialMarket(instruments), options);
  }

  /** As `open`, with a market of the product. */
  static async openWith<M extends Market>(
    db: Db,
    market: M,
    {
      args = [],
      environment = {},
      clock = new FakeClock(),
      directory = dataDirectory(),
      onReclaimed = () => {},
      closeDatabase = async () => {},
      bus,
      tracing,
      clientDirectory = 'none',
    }: TestServerOptions = {},
  ): Promise<TestServer<M>> {
    const settings = ['--port', '0', '--host', '127.0.0.1', '--data', directory, '--seed', '1'];
    const command = readCommand([...settings, '--trust-proxy', 'loopback', ...args], environment);
    if (command.name === 'help') throw new Error('only help');
    const printed: string[] = [];
    const events: LogEvent[] = [];
    const print = (line: string) => printed.push(line);
    const app = await createApp({
      config: command.config,
      database: { db, onReclaimed, close: closeDatabase },
      market,
      bus,
      tracing,
      clock,
      log: {
        info: print,
        warn: print,
        error: print,
        event: (name, fields) => events.push({ name, fields }),
      },
      clientDirectory,
    });
    return new TestServer(app, market, clock, await app.listen(), printed, events, directory);
  }

  close(): Promise<void> {
    return this.app.close();
  }

  get inviteCode(): string {
    const note = this.app.notes.find((line) => line.startsWith('Invitation code'));
    return note?.split(': ')[1] ?? '';
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.ask(path, 'GET', headers);
  }

  /** Sends JSON. */
  post(path: string, params: object, headers: Record<string, string> = {}): Promise<Reply> {
    const type = { 'content-type': 'application/json', ...headers };
    return this.ask(path, 'POST', type, JSON.stringify(params));
  }

  form(path: string, params: Params, headers: Record<string, string> = {}): Promise<Reply> {
    const type = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
    const text = Object.entries(params).map(([name, value]) => [name, String(value)]);
    return this.ask(path, 'POST', type, new URLSearchParams(text).toString());
  }

  private async ask(
    path: string,
    method: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Reply> {
    const answer = await send(this.url + path, {
      method,
      headers: { lang: 'en', ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, ...JSON.parse(answer.text) };
  }

  sendCode(
    to: string,
    type: 1 | 2,
    headers: Record<string, string> = {},
    more: Params = {},
  ): Promise<Reply> {
    const call = to.includes('@') ? 'send_email' : 'send_sms';
    return this.post(`/api/notify/${call}`, { to, area_id: 0, type, ...more }, headers);
  }

  /** The last code that was sent to an address. */
  codeOf(to: string): string {
    const letter = this.printed.findLast((line) => line.includes(` to ${to}: `)) ?? '';
    return /\b\d{6}\b/.exec(letter)?.[0] ?? '';
  }

  lettersTo(to: string): string[] {
    return this.printed.filter((line) => line.includes(` to ${to}: `));
  }

  register(email: string, changes: Params = {}): Promise<Reply> {
    return this.form('/api/user/register', {
      type: 'email',
      area_id: 0,
      account: email,
      password: PASSWORD,
      re_password: PASSWORD,
      invite_code: this.inviteCode,
      sms_code: this.codeOf(email),
      key: '',
      mobile: '',
      ...changes,
    });
  }

  login(
    account: string,
    password = PASSWORD,
    headers: Record<string, string> = {},
    more: Params = {},
  ): Promise<Reply> {
    const login_type = account.includes('@') ? 'email' : 'mobile';
    return this.form('/api/user/loginForU', { account, password, login_type, ...more }, headers);
  }

  forget(account: string, auth_code: string, password = NEW_PASSWORD): Promise<Reply> {
    return this.post('/api/user/forget_password', {
      type: account.includes('@') ? 'email' : 'mobile',
      account,
      new_password: password,
      secondary_password: password,
      auth_code,
    });
  }

  /** Registers a real user, logged in. */
  async realUser(email = `${randomUUID()}@example.com`): Promise<SessionRow> {
    await this.sendCode(email, 1);
    const { data, msg } = await this.register(email);
    if (!data) throw new Error(`not registered: ${msg}`);
    return data;
  }

  async demoUser(): Promise<SessionRow> {
    return (await this.get(`/api/user/createAccountDemoForU?demo_id=${randomUUID()}`)).data;
  }
}

export const PASSWORD = 'correct horse';
export const NEW_PASSWORD = 'battery staple';

/** Headers of a logged-in user. */
export function as(token: string): { authorization: string } {
  return { authorization: token };
}

/** Headers of a request that a local proxy forwards from this address. */
export function from(address: string): { 'x-forwarded-for': string } {
  return { 'x-forwarded-for': address };
}
