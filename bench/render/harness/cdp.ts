import { once } from 'node:events';
import { WebSocket } from 'ws';

interface Answer {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
  sessionId?: string;
}

type Listener = (params: Record<string, unknown>, sessionId: string | undefined) => void;

/**
 * A minimal client of the DevTools protocol: test frameworks enable domains (such as one event for
 * each websocket frame) that cost more than what is measured.
 */
export class Cdp {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<
    number,
    { resolve: (r: Answer) => void; reject: (e: Error) => void }
  >();
  readonly #listeners = new Map<string, Listener[]>();
  #next = 1;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#receive(JSON.parse(String(data)) as Answer));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser is gone'));
      this.#waiting.clear();
    });
  }

  static async connect(url: string): Promise<Cdp> {
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 2 ** 30 });
    await once(socket, 'open');
    return new Cdp(socket);
  }

  send(
    method: string,
    params: object = {},
    sessionId?: string,
    patience = 60_000,
  ): Promise<Record<string, unknown>> {
    const id = this.#next++;
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`${method}: no answer in ${patience / 1000} s`));
      }, patience);
      this.#waiting.set(id, {
        resolve: ({ result, error }) => {
          clearTimeout(timer);
          if (error) reject(new Error(`${method}: ${error.message}`));
          else resolve(result ?? {});
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
    });
  }

  on(method: string, listener: Listener): void {
    const known = this.#listeners.get(method);
    if (known) known.push(listener);
    else this.#listeners.set(method, [listener]);
  }

  close(): void {
    this.#socket.close();
  }

  #receive(answer: Answer): void {
    if (answer.id === undefined) {
      for (const listener of this.#listeners.get(answer.method ?? '') ?? [])
        listener(answer.params ?? {}, answer.sessionId);
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    waiting?.resolve(answer);
  }
}

/** One page or worker, addressed by its session. */
export class Target {
  readonly #cdp: Cdp;
  readonly sessionId: string;

  constructor(cdp: Cdp, sessionId: string) {
    this.#cdp = cdp;
    this.sessionId = sessionId;
  }

  send(method: string, params: object = {}, patience?: number): Promise<Record<string, unknown>> {
    return this.#cdp.send(method, params, this.sessionId, patience);
  }

  /** The awaited value of an expression. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = (await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as {
      result?: { value?: T };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    };
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result?.value as T;
  }
}
