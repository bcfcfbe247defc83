import { setMaxListeners } from 'node:events';
import { type AxiosAdapter, AxiosError, type AxiosResponse } from 'axios';
import { CODE_OK } from '#domain/api/envelope';

export interface Asked {
  method: string;
  /** The path, or the full address where it is not the API's. */
  path: string;
  params: Record<string, string>;
  headers: Record<string, string>;
  body: string;
  /** Given up after this long, ms. */
  timeout: number | undefined;
}

/** Listeners that one signal may have: Node warns of a leak from the eleventh on. */
const MOST_IN_FLIGHT = 100;

/** The answer of a route: `data` of an envelope, another answer, or a fault. */
export type Reply =
  | { data: unknown; msg?: string }
  | { code: number; msg: string; data?: unknown }
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | { raw: unknown }
  | { fault: string };

export type Route = (asked: Asked) => Reply | Promise<Reply>;

/** An HTTP server without a network: an axios adapter that calls the test's routes. */
export class ScriptedHttp {
  readonly asked: Asked[] = [];
  readonly routes = new Map<string, Route>();

  on(path: string, route: Route): this {
    this.routes.set(path, route);
    return this;
  }

  /** Requests of one path. */
  to(path: string): Asked[] {
    return this.asked.filter((asked) => asked.path === path);
  }

  readonly adapter: AxiosAdapter = async (config) => {
    const url = new URL(config.url ?? '');
    const asked: Asked = {
      method: (config.method ?? '').toUpperCase(),
      path: this.routes.has(url.href) ? url.href : url.pathname,
      params: Object.fromEntries((config.params as URLSearchParams | undefined) ?? []),
      headers: Object.fromEntries(
        Object.entries(config.headers.toJSON()).map(([name, value]) => [
          name.toLowerCase(),
          String(value),
        ]),
      ),
      body: String(config.data ?? ''),
      timeout: config.timeout,
    };
    this.asked.push(asked);
    const reply = await this.#cancellable(config.signal as AbortSignal | undefined, asked);
    const respond = (status: number, data: unknown, headers = {}): AxiosResponse => ({
      status,
      statusText: '',
      data,
      headers,
      config,
    });
    if ('fault' in reply) throw new AxiosError('scripted', reply.fault, config);
    if ('status' in reply) {
      const response = respond(reply.status, reply.body, reply.headers);
      throw new AxiosError('scripted', AxiosError.ERR_BAD_RESPONSE, config, null, response);
    }
    if ('raw' in reply) return respond(200, reply.raw);
    if ('code' in reply) return respond(200, { data: null, ...reply });
    return respond(200, { code: CODE_OK, msg: '', ...reply });
  };

  #cancellable(signal: AbortSignal | undefined, asked: Asked): Promise<Reply> {
    const route = this.routes.get(asked.path) ?? (() => ({ status: 404 }));
    const answer = Promise.resolve(route(asked));
    if (!signal) return answer;
    // That of happy-dom is none of Node's.
    if (!('happyDOM' in globalThis)) setMaxListeners(MOST_IN_FLIGHT, signal);
    return new Promise((resolve, reject) => {
      const abort = () => reject(new AxiosError('canceled', AxiosError.ERR_CANCELED));
      signal.addEventListener('abort', abort);
      void answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    });
  }
}

/** A route whose replies wait until the test releases them. */
export function held(): { route: Route; release: (reply: Reply) => void; waiting: () => number } {
  let waiting: ((reply: Reply) => void)[] = [];
  return {
    route: () => new Promise((resolve) => waiting.push(resolve)),
    release(reply) {
      const next = waiting;
      waiting = [];
      for (const resolve of next) resolve(reply);
    },
    waiting: () => waiting.length,
  };
}
