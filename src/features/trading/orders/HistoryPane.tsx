import type { PanelProps } from '../../../panels/panel';
import { aText } from '../../../preferences/stored';
import { ALL_TIME } from '../results/period';
import { usePeriod } from '../results/usePeriod';
import { HistoryActions } from './HistoryActions';
import { OrdersPane } from './OrdersPane';

/** The closed orders as a panel of the workspace, which keeps their period. */
export default function HistoryPane({ settings, keep }: PanelProps) {
  const { name, period } = usePeriod(aText(settings) ?? ALL_TIME);
  const within = name === ALL_TIME ? undefined : period;
  return (
    <OrdersPane status="closed" period={within}>
      <HistoryActions name={name} period={within} onPeriod={keep} />
    </OrdersPane>
  );
}
