import { lazy } from 'react';
import { BenchScreen } from '../features/bench/BenchScreen';
import type { BenchScreens } from '../features/bench/BenchStage';

/** The screens of other features that the benchmark looks at, as they are. */
const SCREENS: BenchScreens = {
  chart: lazy(async () => {
    const { ChartPanel } = await import('../features/trading/chart/ChartPanel');
    return { default: ({ row }) => <ChartPanel row={row} fixed="1min" /> };
  }),
  ticket: lazy(async () => {
    const { TicketPanel } = await import('../features/trading/ticket/TicketPanel');
    return { default: ({ row }) => <TicketPanel row={row} side="buy" /> };
  }),
};

export function Bench() {
  return <BenchScreen screens={SCREENS} />;
}
