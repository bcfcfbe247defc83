import type { PanelProps } from '../../../panels/panel';
import { ChartView } from './ChartView';

/** The chart as a panel of the workspace. */
export default function ChartPanel({ row, ...panel }: PanelProps) {
  return <ChartView row={row} panel={panel} />;
}
