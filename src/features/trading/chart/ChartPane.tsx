import type { PanelProps } from '../../../panels/panel';
import { ChartPanel } from './ChartPanel';

/** The chart as a panel of the workspace. */
export default function ChartPane({ row, ...panel }: PanelProps) {
  return <ChartPanel row={row} panel={panel} />;
}
