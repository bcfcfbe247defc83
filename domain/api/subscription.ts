/** Reserved calls (protocol.md#redemption): declared, with no parameters or rows yet; neither client nor server has them. */
import type { EndpointFields } from './endpoint';

const reserved = { method: 'GET', access: 'user', effect: 'reads', usedBy: 'nobody' } as const;

export const subscriptionList = {
  ...reserved,
  path: '/api/subscription/subscription_list',
} satisfies EndpointFields;

export const subscriptionInfo = {
  ...reserved,
  path: '/api/subscription/sub_info',
} satisfies EndpointFields;

export const payableCurrencies = {
  ...reserved,
  method: 'POST',
  body: 'json',
  path: '/api/subscription/getPayableCurrencies',
} satisfies EndpointFields;

export const submitSubscription = {
  ...reserved,
  path: '/api/subscription/submit',
  effect: 'once',
} satisfies EndpointFields;

export const ownSubscriptions = {
  ...reserved,
  path: '/api/subscription/mySubList',
} satisfies EndpointFields;
