import type { PanelProps } from '../../../panels/panel';
import { aText } from '../../../preferences/stored';
import { ALL_TIME } from '../results/period';
import { usePeriod } from '../results/usePeriod';
import { HistoryActions } from './HistoryActions';
import { OrdersView } from './OrdersView';

/** The closed orders as a panel of the workspace, which keeps their period. */
export default function HistoryPanel({ settings, save }: PanelProps) {
  const { name, period } = usePeriod(aText(settings) ?? ALL_TIME);
  const within = name === ALL_TIME ? undefined : period;
  return (
    <OrdersView status="closed" period={within}>
      <HistoryActions name={name} period={within} onPeriod={save} />
    </OrdersView>
  );
}
