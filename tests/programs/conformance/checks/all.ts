import type { Check } from '../check';
import { access, conventions } from './envelope';
import { marketCalls } from './market';
import { reads } from './reads';
import { socketMessages } from './socket';
import { tradingCalls } from './trading';
import { userCalls } from './users';

/** Everything that is demanded of a server. The reset of the demo account is among the last. */
export const checks: readonly Check[] = [
  ...conventions,
  ...reads,
  ...marketCalls,
  ...socketMessages,
  ...userCalls,
  ...access,
  ...tradingCalls,
];
