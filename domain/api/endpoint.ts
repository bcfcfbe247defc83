import type { Feature } from './features';

/** What a call without parameters sends. */
export type NoParams = Record<string, never>;

/** The id of the one row that a call is about. */
export interface IdParams {
  id: number;
}

export interface PageParams {
  /** From 1. */
  page?: number;
}

/** Of a list whose pages can have other than 20 rows. */
export interface LimitedPageParams extends PageParams {
  /** Rows of a page. */
  limit?: number;
}

/** What every call that is done `once` takes besides its own parameters (protocol.md#deadlines). */
export interface OnceParams {
  /** Unix ms of the server's wall clock: later, the call is refused as expired. Missing or 0: never. */
  valid_until?: number;
}

/**
 * Who may make a call: anybody, any user, or users that are no demo users. All
 * but `public` need a token and answer 999 without it (protocol.md#public-calls).
 */
export type Access = 'public' | 'user' | 'real';

/**
 * What a call does on the server:
 * - `reads` changes nothing.
 * - `changes` is refused for fetches that are not the page's own.
 * - `once` is such a change, done once for each Idempotency-Key (protocol.md#idempotency), and
 *   takes a deadline.
 */
export type Effect = 'reads' | 'changes' | 'once';

/** How the parameters are sent: in the query, or in the body of a POST (protocol.md#requests). */
type Transport =
  | { readonly method: 'GET' | 'DELETE' }
  | { readonly method: 'POST'; readonly body: 'form' | 'json' | 'file' };

/**
 * Who uses an endpoint, where it is not both worker and server: only the server
 * has it, the page itself sends it, or it is declared by the protocol and nobody has it.
 */
type UsedBy = 'server' | 'page' | 'nobody';

/** A call of the protocol, as data. */
export type EndpointFields = Transport & {
  readonly path: string;
  readonly access: Access;
  readonly effect: Effect;
  readonly usedBy?: UsedBy;
  /** The call exists only where the server lists this: the client makes it nowhere else. */
  readonly feature?: Feature;
  /** The features that parameters need: a server that does not list one is not sent the parameter. */
  readonly paramFeatures?: Readonly<Partial<Record<string, Feature>>>;
};

/** Carries types that no value has: which parameters a call takes, and the row in `data` of its answer. */
interface CallTypes<Params, Row> {
  readonly types?: { params: Params; row: (row: Row) => Row };
}

/** A call of the protocol: `Params` as the client sends them, `Row` as `data` of a success. */
export type Endpoint<
  Params extends object = object,
  Row = never,
  Fields extends EndpointFields = EndpointFields,
> = Fields & CallTypes<Params, Row>;

/** What a call takes: its own parameters, and what comes with its effect. */
type ParamsOf<Params, Fields extends EndpointFields> = Fields extends { effect: 'once' }
  ? Params extends NoParams
    ? OnceParams
    : Params & OnceParams
  : Params;

/**
 * Declares a call. The server registers it with `route()` or, where it is done `once`, `changingRoute()`.
 * The worker makes it with `Http.get()`, `Http.send()` or, where it is done `once`, `IdempotentRequests.send()`.
 *
 *     export const closeOrder = endpoint<IdParams, OrderRow>()({
 *       method: 'GET',
 *       path: '/v1/api/forex/close',
 *       access: 'user',
 *       effect: 'once',
 *     });
 */
export function endpoint<Params extends object, Row>() {
  return <const Fields extends EndpointFields>(
    fields: Fields,
  ): Endpoint<ParamsOf<Params, Fields>, Row, Fields> => fields;
}
