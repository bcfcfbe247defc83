import { Bench } from '../features/bench/Bench';
import type { BenchScreens } from '../features/bench/BenchView';
import { lazyPart } from '../ui/lazyPart';

const SCREENS: BenchScreens = {
  chart: lazyPart(async () => {
    const { ChartPanel } = await import('../features/trading/chart/ChartPanel');
    return { default: ({ row }) => <ChartPanel row={row} fixed="1min" /> };
  }),
  ticket: lazyPart(async () => {
    const { TicketPanel } = await import('../features/trading/ticket/TicketPanel');
    return { default: ({ row }) => <TicketPanel row={row} side="buy" /> };
  }),
};

/** `/bench`. A feature must not import another one, so the screens under test are passed in here. */
export function BenchScreen() {
  return <Bench screens={SCREENS} />;
}
