import { SpeedTest } from '../features/speedTest/SpeedTest';
import type { SpeedTestScreens } from '../features/speedTest/SpeedTestView';
import { lazyPart } from '../ui/lazyPart';

const SCREENS: SpeedTestScreens = {
  'app, chart': lazyPart(async () => {
    const { ChartView } = await import('../features/trading/chart/ChartView');
    return { default: ({ row }) => <ChartView row={row} fixed="1min" /> };
  }),
  'app, ticket': lazyPart(async () => {
    const { OrderForm } = await import('../features/trading/ticket/OrderForm');
    return { default: ({ row }) => <OrderForm row={row} side="buy" /> };
  }),
};

/** `/bench`. A feature must not import another one, so the screens under test are passed in here. */
export function SpeedTestScreen() {
  return <SpeedTest screens={SCREENS} />;
}
