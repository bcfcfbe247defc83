import { lazyPart, ToldInBanner } from '../../../ui/lazyPart';
import { useValue } from '../../../useValue';
import { user } from '../../../worker/trading';
import { pastTrades } from '../chart/chartSettings';
import type { PastTradesProps } from './PastTrades';

const PastTrades = lazyPart(() => import('./PastTrades'), ToldInBanner);

/** The user's past trades in a chart, if they are switched on. */
export function TradesSlot(props: PastTradesProps) {
  const owner = useValue(user)?.id;
  const shown = useValue(pastTrades);
  if (!shown || owner === undefined) return null;
  return <PastTrades key={owner} {...props} />;
}
