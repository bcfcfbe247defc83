/** Reserved calls (protocol.md#redemption): declared, with no parameters or rows yet; neither client nor server has them. */
import type { EndpointFields } from './endpoint';

export const subscriptionList = {
  method: 'GET',
  path: '/api/subscription/subscription_list',
  access: 'user',
  effect: 'reads',
  usedBy: 'nobody',
} satisfies EndpointFields;

export const subscriptionInfo = {
  method: 'GET',
  path: '/api/subscription/sub_info',
  access: 'user',
  effect: 'reads',
  usedBy: 'nobody',
} satisfies EndpointFields;

export const payableCurrencies = {
  method: 'POST',
  body: 'json',
  path: '/api/subscription/getPayableCurrencies',
  access: 'user',
  effect: 'reads',
  usedBy: 'nobody',
} satisfies EndpointFields;

export const submitSubscription = {
  method: 'GET',
  path: '/api/subscription/submit',
  access: 'user',
  effect: 'once',
  usedBy: 'nobody',
} satisfies EndpointFields;

export const ownSubscriptions = {
  method: 'GET',
  path: '/api/subscription/mySubList',
  access: 'user',
  effect: 'reads',
  usedBy: 'nobody',
} satisfies EndpointFields;
