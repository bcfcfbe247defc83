import type { Feature } from './features';

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
