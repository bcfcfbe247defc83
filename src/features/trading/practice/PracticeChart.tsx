import { memo, useCallback, useMemo, useState } from 'react';
import { type Decimal, isZero, toText } from '#domain/core/decimal';
import { toPrice } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { Period } from '#domain/market/period';
import type { Order } from '#domain/trading/order';
import { language } from '../../../i18n/i18n';
import { exitEntryProblem } from '../../../positions/exitEntry';
import { exitEntriesOf, exitsOf, movedEntry } from '../../../positions/useExits';
import { showToast } from '../../../ui/toastStore';
import { useValue } from '../../../useValue';
import { practise } from '../../../worker/practice';
import { Chart } from '../chart/Chart';
import type { LiveChart } from '../chart/liveChart';
import { entryLine, linesOf, movedExit } from '../chart/orderLines';
import { useLiveProfits } from '../chart/useLiveProfits';

interface PracticeChartProps {
  live: LiveChart;
  instrument: Instrument;
  period: Period;
  orders: readonly Order[];
  onOrder(order: Order | undefined): void;
}

/** The bars that have been played, with the lines of the session's orders. */
export const PracticeChart = memo(function PracticeChart({
  live,
  instrument,
  period,
  orders,
  onOrder,
}: PracticeChartProps) {
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
      const target = orders.find((each) => each.status === 'pending' && entryLine(each.id) === id);
      if (target) {
        const terms = { ...termsOf(target), targetPrice: toText(toPrice(price)) };
        await practise({ do: 'amend', id: target.id, terms });
      }
      const moved = target ? undefined : movedExit(id, price, orders);
      if (moved) {
        const { order, kind } = moved;
        const entry = movedEntry(order, { kind, price: toPrice(price) });
        const exits = exitsOf({ ...exitEntriesOf(order), [kind]: entry }, undefined);
        const key = exitEntryProblem(entry);
        if (key) showToast({ kind: 'invalid', message: { key } }, 'error');
        else await practise({ do: 'exits', id: order.id, ...exits });
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
      onLineMoved={onLineMoved}
      onOrders={onOrders}
    />
  );
});

/** The terms of a pending order, as they are. */
function termsOf({ lots, originPrice, stopLoss, takeProfit, trailing, until }: Order) {
  const text = (value: Decimal) => (isZero(value) ? '' : toText(value));
  return {
    lots: toText(lots),
    targetPrice: toText(originPrice),
    stopLoss: text(stopLoss),
    takeProfit: text(takeProfit),
    trailing: text(trailing),
    until,
  };
}
