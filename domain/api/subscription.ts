/** Reserved calls (protocol.md#redemption): declared, with no parameters or rows yet; neither client nor server has them. */
import { endpoint } from './endpoint';

export const subscriptionList = endpoint<object, unknown>()({
  method: 'GET',
  path: '/api/subscription/subscription_list',
  access: 'user',
  effect: 'reads',
  usedBy: 'nobody',
});

export const subscriptionInfo = endpoint<object, unknown>()({
  method: 'GET',
  path: '/api/subscription/sub_info',
  access: 'user',
  effect: 'reads',
  usedBy: 'nobody',
});

export const payableCurrencies = endpoint<object, unknown>()({
  method: 'POST',
  body: 'json',
  path: '/api/subscription/getPayableCurrencies',
  access: 'user',
  effect: 'reads',
  usedBy: 'nobody',
});

export const submitSubscription = endpoint<object, unknown>()({
  method: 'GET',
  path: '/api/subscription/submit',
  access: 'user',
  effect: 'once',
  usedBy: 'nobody',
});

export const ownSubscriptions = endpoint<object, unknown>()({
  method: 'GET',
  path: '/api/subscription/mySubList',
  access: 'user',
  effect: 'reads',
  usedBy: 'nobody',
});
