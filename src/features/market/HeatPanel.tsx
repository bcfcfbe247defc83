import type { PanelProps } from '../../panels/panel';
import { GridPanel } from './WatchlistPanel';

/** The heat map as a panel of the workspace: a grid that begins as one. */
export default function HeatPanel(props: PanelProps) {
  return <GridPanel {...props} heat />;
}
