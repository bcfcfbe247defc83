import { memo, useCallback, useMemo, useState } from 'react';
import { toText } from '#domain/core/decimal';
import { success } from '#domain/core/result';
import { toPrice } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { Period } from '#domain/market/period';
import type { Order } from '#domain/trading/order';
import { language } from '../../../i18n/i18n';
import { useValue } from '../../../useValue';
import { practise } from '../../../worker/practice';
import { Chart } from '../chart/Chart';
import { LiveChart } from '../chart/liveChart';
import { linesOf, movedExit } from '../chart/orderLines';
import { useLiveProfits } from '../chart/useLiveProfits';

interface PracticeChartProps {
  instrument: Instrument;
  period: Period;
  orders: readonly Order[];
  onOrder(order: Order | undefined): void;
}

/** The bars that have been played, with the lines of the session's orders. */
export const PracticeChart = memo(function PracticeChart({
  instrument,
  period,
  orders,
  onOrder,
}: PracticeChartProps) {
  // All bars come at once.
  const [live] = useState(() => new LiveChart(async () => success(undefined)));
  const shown = useValue(language);
  const [dragged, drag] = useState(0);
  const profitOf = useLiveProfits(live, orders);
  // biome-ignore lint/correctness/useExhaustiveDependencies: texts are in the language, and a line that was dragged returns
  const lines = useMemo(
    () => linesOf(orders, instrument.unitsPerLot, profitOf),
    [orders, instrument.unitsPerLot, profitOf, shown, dragged],
  );
  const onLineMoved = useCallback(
    async (id: string, price: number) => {
      const moved = movedExit(id, price, orders);
      if (moved) {
        const { order, kind } = moved;
        const { stopLoss, takeProfit, trailing } = order;
        const exits = { stopLoss, takeProfit, trailing, [kind]: toPrice(price) };
        await practise({
          do: 'exits',
          id: order.id,
          stopLoss: toText(exits.stopLoss),
          takeProfit: toText(exits.takeProfit),
          trailing: toText(exits.trailing),
        });
      }
      drag((count) => count + 1);
    },
    [orders],
  );
  const onOrders = useCallback(
    ([first]: readonly number[]) => onOrder(orders.find(({ id }) => id === first)),
    [orders, onOrder],
  );
  return (
    <Chart
      live={live}
      instrument={instrument}
      period={period}
      bare
      status={undefined}
      lines={lines}
      onLineMoved={(id, price) => void onLineMoved(id, price)}
      onOrders={onOrders}
    />
  );
});
