import { compare } from '../core/decimal';
import { type Percent, toPercent } from '../core/units';

/** The user is warned below these margin levels in percent (domain.md#margin-level). */
export const MARGIN_LIMITS = { low: toPercent(50), critical: toPercent(30) } as const;
/** A warning is over at this ratio in percent, above the limit, so that a price beside it does not warn again and again. */
const RECOVERED_RATIO = toPercent(55);

/** How close an account is to a stop-out; undefined: not close. */
export type MarginState = keyof typeof MARGIN_LIMITS | undefined;

/** The state of a margin level in percent (domain.md#margin-level). */
export function marginState(ratio: Percent): MarginState {
  if (compare(ratio, MARGIN_LIMITS.critical) < 0) return 'critical';
  return compare(ratio, MARGIN_LIMITS.low) < 0 ? 'low' : undefined;
}

/**
 * Of what a user has been warned once the account stands so (domain.md#margin-level): the former state until it
 * is worse or the ratio, in percent, has recovered. Undefined `ratio`: there is no margin in use. A defined result that
 * differs from `former` is a new warning.
 */
export function warnedState(former: MarginState, ratio: Percent | undefined): MarginState {
  if (!ratio || compare(ratio, RECOVERED_RATIO) >= 0) return undefined;
  return former === 'critical' ? former : (marginState(ratio) ?? former);
}
