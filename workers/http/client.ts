import type { EndpointFields } from '#domain/api/endpoint';
import { CODE_OK, CODE_SIGNED_OUT } from '#domain/api/envelope';
import { readFields, readInteger, readText } from '#domain/core/read';
import { type Confirmed, type Failure, failed, type Result, success } from '#domain/core/result';
import type { WorkerEvent } from '#domain/worker/workerApi';
import { importOnce } from '../core/importOnce';
import { type Call, type CallOptions, type KeyedOptions, transportFailure } from './call';
import { showFailure } from './notices';
import type { Transport, TransportOptions } from './transport';

const loadTransport = importOnce(() => import('./transport'));

export interface HttpOptions extends TransportOptions {
  token: () => string;
  emit: (event: WorkerEvent) => void;
  /** Where the address of the server is still to be found: a promise of it. */
  located?: () => Promise<void> | undefined;
  /** Code 999 came to a call that carried this token (protocol.md#errors). */
  signedOut: (token: string, initial: boolean) => void;
}

/** Reads `data` of a success; undefined where it is malformed. */
export type Reader<T> = (data: unknown) => T | undefined;

type Repeatable = EndpointFields & { effect: 'reads' | 'changes' };

/** The HTTP client (architecture.md#http-client). It never throws: failures are results. A malformed answer to a read is a failure of the transport; a change that was confirmed is done all the same. */
export interface Http {
  /** A call that is done once needs its key: use `IdempotentRequests.send()`. */
  send<Fields extends EndpointFields, T>(
    endpoint: Fields,
    params: object,
    read: Reader<T>,
    ...options: Fields['effect'] extends 'once' ? [KeyedOptions] : [CallOptions?]
  ): Promise<Result<Confirmed<Fields['effect'] extends 'once' ? T | undefined : T>>>;
  /** As `send`, without the server's text. */
  call<T>(
    endpoint: Repeatable,
    params: object,
    read: Reader<T>,
    options?: CallOptions,
  ): Promise<Result<T>>;
  /**
   * Fetches a full address whose answer has no envelope; undefined for any failure.
   * `foreign`: the server is not ours, so no header of ours is sent.
   */
  plain(url: string, foreign?: boolean): Promise<unknown>;
  /** Names each request for the server's log (protocol.md#requests); a server that does not take names may refuse the header. */
  nameRequests(make: (() => string) | undefined): void;
}

export function createHttp(options: HttpOptions): Http {
  const { emit } = options;
  let busy = 0;
  let requestId: (() => string) | undefined;
  let transport: Transport | undefined;

  /** The transport, where its code is loaded. */
  function present(): Transport | undefined {
    const code = loadTransport.present();
    if (code) transport ??= code.createTransport(options);
    return transport;
  }

  async function load(): Promise<Transport> {
    await loadTransport();
    return present() as Transport;
  }

  function setBusy(by: number): void {
    busy += by;
    if (busy === 0 || (busy === 1 && by === 1)) emit({ type: 'busy', busy: busy > 0 });
  }

  async function answer<T>(
    call: Call,
    token: string,
    read: Reader<T>,
  ): Promise<Result<Confirmed<T>>> {
    try {
      const locating = options.located?.();
      if (locating) await locating;
      const sent = await (present() ?? (await load())).send(call, token, requestId);
      if (!sent.ok) return sent;
      const envelope = readFields(sent.data);
      const code = readInteger(envelope?.['code']);
      const text = readText(envelope?.['msg']) ?? '';
      if (code === CODE_SIGNED_OUT) return failed({ kind: 'signed-out' });
      if (code !== undefined && code !== CODE_OK) {
        const ticket = readText(readFields(envelope?.['data'])?.['ticket']);
        return failed({ kind: 'refused', code, text, ...(ticket && { ticket }) });
      }
      const data = code === undefined ? undefined : read(envelope?.['data']);
      const done = code === CODE_OK && call.endpoint.effect === 'once';
      if (data !== undefined || done) return success({ data: data as T, text });
      return failed(transportFailure('ERR_BAD_RESPONSE', sent.data));
    } catch {
      // Its code could not be loaded.
      return failed(transportFailure('ERR_NETWORK'));
    }
  }

  function show(failure: Failure, call: Call, token: string): void {
    if (failure.kind === 'signed-out') options.signedOut(token, call.initial ?? false);
    else if (failure.kind === 'refused' ? call.quiet !== true : !call.quiet)
      showFailure(emit, failure);
  }

  async function make<T>(call: Call, read: Reader<T>): Promise<Result<Confirmed<T>>> {
    const token = call.token ?? options.token();
    if (call.busy) setBusy(1);
    const result = await answer(call, token, read);
    if (call.busy) setBusy(-1);
    if (!result.ok) show(result.failure, call, token);
    return result;
  }

  const send = <T>(
    endpoint: EndpointFields,
    params: object,
    read: Reader<T>,
    how?: Partial<KeyedOptions>,
  ) => make({ endpoint, params, ...how }, read);

  return {
    send,
    async call(endpoint, params, read, how) {
      const result = await send(endpoint, params, read, how);
      return result.ok ? success(result.data.data) : result;
    },
    async plain(url, foreign = false) {
      try {
        return await (present() ?? (await load())).plain(url, foreign);
      } catch {
        return undefined;
      }
    },
    nameRequests(make) {
      requestId = make;
    },
  };
}

/** As `http`, whose reads wait for `ready`. */
export function whenReady(http: Http, ready: Promise<void>): Http {
  return {
    ...http,
    async call(endpoint, params, read, options) {
      await ready;
      return http.call(endpoint, params, read, options);
    },
  };
}
