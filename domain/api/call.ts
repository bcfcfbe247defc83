/** A call, declared once: from it come the types of both sides, what the worker reads, what the server takes, and OpenAPI. */
import * as v from 'valibot';
import type { Confirmed, Done, Result } from '../core/result';
import type { EndpointFields } from './endpoint';
import type { Feature } from './features';
import { milliseconds, optional } from './params';
import type { Read, Sent } from './schema';

/** What a changing call is for: its name on the screen while its answer is not known. */
export type RequestKind =
  | 'submit'
  | 'close'
  /** The first and the second call of a reversal. */
  | 'reverse'
  | 'opposite'
  | 'cancel'
  | 'amend'
  | 'stops'
  | 'reset'
  | 'alert'
  | 'alertDeletion'
  | 'deposit'
  | 'withdrawal'
  | 'payoutMethod'
  | 'deletion'
  | 'verification'
  | 'subscription'
  | 'redemption';

type Doing =
  | {
      readonly effect: 'reads';
      /** The latest answers, of lists the first page, are stored for a start without a network (architecture.md#installed-and-offline). */
      readonly cached?: true;
    }
  | { readonly effect: 'changes' }
  | { readonly effect: 'once'; readonly request: RequestKind };

/** How a call is sent, and what the worker does besides asking. */
export type CallFields = EndpointFields &
  Doing & {
    /** A success moves money: the worker fetches the balances again. */
    readonly movesMoney?: true;
    /** The user is shown the server's text for a success. */
    readonly confirms?: true;
  };

export type Call<
  Params extends v.ObjectEntries = v.ObjectEntries,
  Answer extends v.GenericSchema = v.GenericSchema,
  Fields extends CallFields = CallFields,
> = Fields & {
  readonly params: v.ObjectSchema<Params, undefined>;
  /** `data` of a success. */
  readonly answer: Answer;
};

/**
 * Declares a call. The server answers it with `route()` or, where it is done `once`, `changingRoute()`; the page asks
 * by `api(name, params)`.
 *
 *     export const someList = call({
 *       method: 'GET',
 *       path: '/api/some/list',
 *       access: 'public',
 *       effect: 'reads',
 *       params: { name: optionalText() },
 *       answer: rows(some),
 *     });
 */
export function call<
  const Fields extends CallFields,
  Params extends v.ObjectEntries,
  Answer extends v.GenericSchema,
>(
  declared: Fields & {
    params: Params;
    answer: Answer;
    paramFeatures?: { [Name in keyof Params]?: Feature };
  },
): Call<Params, Answer, Fields> {
  const params = { ...declared.params, ...(declared.effect === 'once' && deadline.entries) };
  return { ...declared, params: v.object(params) };
}

/** What every call that is done `once` takes besides its own parameters (protocol.md#deadlines): the worker sets it. */
export const deadline = v.object({ valid_until: optional(milliseconds, undefined) });

/** The parameters that a client gives. */
export type Asked<C> =
  C extends Call<infer Params, v.GenericSchema, CallFields>
    ? Sent<v.ObjectSchema<Params, undefined>>
    : never;

/** What a client gets. */
export type Answered<C> =
  C extends Call<v.ObjectEntries, infer Answer, infer Fields>
    ? Fields['effect'] extends 'reads'
      ? Result<Read<Answer>>
      : Fields['effect'] extends 'once'
        ? Result<Done<Read<Answer>>>
        : Result<Confirmed<Read<Answer>>>
    : never;
