import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { GenericSchema, ObjectEntries } from 'valibot';
import * as accountApi from '#domain/api/account';
import type { Call as Declared } from '#domain/api/call';
import * as commonApi from '#domain/api/common';
import type { EndpointFields } from '#domain/api/endpoint';
import { CODE_OK } from '#domain/api/envelope';
import * as marketApi from '#domain/api/market';
import type { Sent } from '#domain/api/schema';
import * as userApi from '#domain/api/user';
import { Components } from '../../../server/api/jsonSchema';
import { expectThat, Missing, Skipped } from './expectations';
import { TargetSocket } from './targetSocket';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  code: number;
  msg: string;
  data: unknown;
}

export type Params = Record<string, string | number>;

export interface CallOptions {
  token?: string;
  /** The Idempotency-Key. */
  key?: string;
  headers?: Record<string, string>;
  /** Sent instead of the parameters. */
  body?: string | FormData;
}

/** A real user of the server, where its operator gives one. */
export interface Credentials {
  account: string;
  password: string;
}

/** Others may leave them out (protocol.md#basic-settings). */
const OPTIONAL_OF_BASIC_INFO = ['features', 'draw_verify', 'wall'] as const;

type BasicInfo = Omit<commonApi.BasicInfoRow, (typeof OPTIONAL_OF_BASIC_INFO)[number]> &
  Partial<commonApi.BasicInfoRow>;
type Instrument = marketApi.InstrumentRow;

/** A missing one is 0 (protocol.md#user). */
export const OPTIONAL_OF_USER = ['otp'];

/** The server under test, seen from outside: its calls and its websocket. */
export class Target {
  readonly url: URL;
  readonly socketUrl: URL;
  private readonly credentials: Credentials | undefined;
  private readonly patienceMs: number;
  private readonly sockets = new Set<TargetSocket>();
  private readonly sessions = new Map<string, Promise<string>>();
  private info: Promise<BasicInfo> | undefined;
  private listed: Promise<Instrument[]> | undefined;

  constructor(
    url: string,
    {
      socketUrl = '',
      credentials,
      patienceMs = 20_000,
    }: {
      socketUrl?: string;
      /** How long a message of the websocket may take. */
      patienceMs?: number;
      credentials?: Credentials | undefined;
    } = {},
  ) {
    this.url = new URL(url);
    const socket = new URL('/v1/ws', this.url);
    socket.protocol = this.url.protocol === 'https:' ? 'wss:' : 'ws:';
    this.socketUrl = socketUrl ? new URL(socketUrl) : socket;
    this.credentials = credentials;
    this.patienceMs = patienceMs;
  }

  /** Makes a call and reads its envelope. An answer without one has code 0. */
  async call(
    endpoint: EndpointFields,
    params: Params = {},
    { token = '', key = '', headers = {}, body }: CallOptions = {},
  ): Promise<Answer> {
    const query = new URLSearchParams(
      Object.entries(params).map(([name, value]) => [name, String(value)]),
    );
    const url = new URL(endpoint.path, this.url);
    const posted: { body?: string | FormData; headers: Record<string, string> } = { headers: {} };
    if (endpoint.method !== 'POST') {
      query.set('t', String(Date.now()));
      url.search = String(query);
    } else if (body !== undefined) posted.body = body;
    else if (endpoint.body === 'json') {
      posted.body = JSON.stringify(params);
      posted.headers = { 'content-type': 'application/json' };
    } else {
      posted.body = String(query);
      posted.headers = { 'content-type': 'application/x-www-form-urlencoded' };
    }
    const answer = await this.fetch(url, {
      method: endpoint.method,
      ...posted,
      headers: {
        lang: 'en',
        ...posted.headers,
        ...(token && { authorization: token }),
        ...(key && { 'idempotency-key': key }),
        ...headers,
      },
    });
    if (answer.status === 404)
      throw new Missing(`${endpoint.method} ${endpoint.path} is not found`);
    return answer;
  }

  /** Makes a request as it is given. */
  async fetch(path: string | URL, init: RequestInit = {}): Promise<Answer> {
    const answer = await fetch(new URL(path, this.url), { redirect: 'manual', ...init });
    const text = await answer.text();
    const { status, headers } = answer;
    return { status, headers, text, ...envelopeOf(text) };
  }

  private async data(endpoint: EndpointFields, params: Params, options: CallOptions) {
    const answer = await this.call(endpoint, params, options);
    expectThat(
      answer.status === 200 && answer.code === CODE_OK,
      `${endpoint.path} answers ${answer.status}: ${answer.text.slice(0, 300)}`,
    );
    return answer.data;
  }

  /** Makes a declared call that has to succeed, and returns its data as it was sent. */
  async ask<Answer extends GenericSchema>(
    call: Declared<ObjectEntries, Answer>,
    params: Params = {},
    { optional, ...options }: CallOptions & { optional?: string[] } = {},
  ): Promise<Sent<Answer>> {
    return expectDeclared(call, await this.data(call, params, options), optional);
  }

  basicInfo(): Promise<BasicInfo> {
    this.info ??= this.freshBasicInfo();
    return this.info;
  }

  freshBasicInfo(): Promise<BasicInfo> {
    return this.ask(commonApi.basicInfo, {}, { optional: [...OPTIONAL_OF_BASIC_INFO] });
  }

  async features(): Promise<readonly string[]> {
    return (await this.basicInfo()).features ?? [];
  }

  instruments(): Promise<Instrument[]> {
    this.listed ??= this.ask(marketApi.instrumentList);
    return this.listed;
  }

  /** An open instrument with a price. */
  async openInstrument(): Promise<Instrument> {
    const found = (await this.instruments()).find(
      ({ MarketStatus, ForexQuotations }) =>
        MarketStatus === 1 && Number(ForexQuotations.Close) > 0,
    );
    if (!found) throw new Skipped('no market is open');
    return found;
  }

  /** The token of a demo user; the same name is the same user. */
  demo(name = 'first'): Promise<string> {
    let token = this.sessions.get(name);
    if (!token) {
      token = this.ask(
        userApi.openDemo,
        { demo_id: randomUUID() },
        { optional: OPTIONAL_OF_USER },
      ).then((row) => row.token);
      this.sessions.set(name, token);
    }
    return token;
  }

  /** The password of the real user whose credentials were given. */
  get password(): string {
    return this.credentials?.password ?? '';
  }

  /** The token of the real user whose credentials were given. */
  real(): Promise<string> {
    const { credentials } = this;
    if (!credentials) throw new Skipped('it needs a real user: --account and --password');
    let token = this.sessions.get('real user');
    if (!token) {
      const login_type = credentials.account.includes('@') ? 'email' : 'mobile';
      token = this.ask(
        accountApi.login,
        { ...credentials, login_type },
        { optional: OPTIONAL_OF_USER },
      ).then((row) => row.token);
      this.sessions.set('real user', token);
    }
    return token;
  }

  /** A new websocket; `query` goes to the end of its address. */
  async socket(query = ''): Promise<TargetSocket> {
    const socket = await TargetSocket.open(new URL(query, this.socketUrl), this.patienceMs);
    this.sockets.add(socket);
    return socket;
  }

  close(): void {
    for (const socket of this.sockets) socket.close();
  }
}

const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as typeof addFormats.default)(ajv);

/** The data; throws where it is not what the call declares. Fields that it does not declare are allowed, and `optional` ones may be missing. */
export function expectDeclared<Answer extends GenericSchema>(
  { path, answer }: Declared<ObjectEntries, Answer>,
  data: unknown,
  optional?: string[],
): Sent<Answer> {
  return expectSent(path, answer, data, optional);
}

/** As `expectDeclared`, of any schema. */
export function expectSent<Answer extends GenericSchema>(
  what: string,
  answer: Answer,
  data: unknown,
  optional: string[] = [],
): Sent<Answer> {
  const components = new Components();
  const schema = components.schemaOf(answer);
  const document = JSON.stringify({ ...schema, components }, (key, value) => {
    if (key === 'additionalProperties' && value === false) return undefined;
    return key === 'required'
      ? (value as string[]).filter((name) => !optional.includes(name))
      : value;
  });
  const matches = ajv.compile(JSON.parse(document));
  const [problem] = matches(data) ? [] : (matches.errors ?? []);
  if (problem) throw new Error(`${what}: ${problem.instancePath} ${problem.message}`);
  return data as Sent<Answer>;
}

function envelopeOf(text: string): Pick<Answer, 'code' | 'msg' | 'data'> {
  try {
    const { code, msg, data } = JSON.parse(text) as Record<string, unknown>;
    if (typeof code === 'number' && typeof msg === 'string') return { code, msg, data };
  } catch {
    // No JSON: no envelope.
  }
  return { code: 0, msg: '', data: undefined };
}
