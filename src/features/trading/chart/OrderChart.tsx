import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { toFixed } from '#domain/core/decimal';
import { type Price, toPrice } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { ChartPeriod } from '#domain/market/kline';
import type { Alert } from '#domain/trading/alert';
import type { Order } from '#domain/trading/order';
import { language, useT } from '../../../i18n/i18n';
import { formatNumberInput } from '../../../i18n/numberInput';
import { EditExits } from '../../../positions/EditExits';
import type { ExitKind } from '../../../positions/exitEntry';
import { lotsText } from '../../../positions/lotsText';
import { movedEntry } from '../../../positions/useExits';
import { hasFeature } from '../../../requests/accountSettings';
import { showFailure } from '../../../requests/showFailure';
import { isCovered } from '../../../shortcuts/press';
import { lazyPart, ToldInBanner } from '../../../ui/lazyPart';
import { Sheet } from '../../../ui/Sheet';
import { useOpening } from '../../../ui/useOpening';
import { useValue } from '../../../useValue';
import { useLiquidationPrice } from '../../../worker/useLiquidationPrice';
import { useOrdersOf } from '../../../worker/useOrders';
import { AmendOrder } from '../amend/lazyParts';
import { Chart } from './Chart';
import type { LiveChart } from './liveChart';
import { moveAlert } from './moveAlert';
import { alertLine, alertOf, entryLine, linesOf, liquidationLine, movedExit } from './orderLines';
import { PriceMenu } from './PriceMenu';
import { useAlertsOf } from './useAlertsOf';
import { useLiveProfits } from './useLiveProfits';

const OrderChoice = lazyPart(() => import('../orders/OrderChoice'), ToldInBanner);

interface OrderChartProps {
  live: LiveChart;
  instrument: Instrument;
  period: ChartPeriod;
  /** Only candles and orders. */
  bare: boolean;
  /** What its legend says of the price, where nothing above the chart does. */
  status?: ReactNode;
}

/** A line that the user has moved: an exit, or the target of a pending order. */
interface Moved {
  order: Order;
  kind: ExitKind | 'originPrice';
  price: Price;
}

/** An order as it is now, while it is in the same state. */
function asItIs(order: Order, orders: readonly Order[]): Order {
  return orders.find(({ id, status }) => id === order.id && status === order.status) ?? order;
}

function MovedLine({ order, kind, price, onDone }: Moved & { onDone(): void }) {
  if (kind !== 'originPrice') {
    const entry = movedEntry(order, { kind, price });
    return <EditExits order={order} edits={{ [kind]: entry }} onDone={onDone} />;
  }
  const target = formatNumberInput(toFixed(price, order.precision));
  return <AmendOrder order={order} edits={{ target }} onDone={onDone} />;
}

/**
 * The chart with the user's orders. Dragging a line opens a sheet that confirms it
 * (screens.md#order-lines).
 */
export const OrderChart = memo(function OrderChart({
  live,
  instrument,
  period,
  bare,
  status,
}: OrderChartProps) {
  const t = useT();
  const shownLanguage = useValue(language);
  const orders = useOrdersOf(instrument.id);
  const holds = orders.some(({ status }) => status === 'holding');
  const liquidation = useLiquidationPrice(holds ? instrument.id : undefined);
  const alerts = useAlertsOf(instrument.code);
  const profitOf = useLiveProfits(live, orders);
  const [moved, setMoved] = useState<Moved>();
  const [movedAlert, setMovedAlert] = useState<Pick<Alert, 'id' | 'price'>>();
  const [returned, giveBack] = useState(0);
  /** The line dragged last: while it is asked what the server can, another may be. */
  const latestDrop = useRef<object>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another instrument ends it
  useEffect(
    () => () => {
      latestDrop.current = undefined;
    },
    [instrument.id],
  );
  // Until the user decides, what was dragged stays where it was dropped.
  // biome-ignore lint/correctness/useExhaustiveDependencies: titles are written in the language, and a line that was dragged returns
  const lines = useMemo(
    () => [
      ...linesOf(
        orders.map((order) =>
          order.id === moved?.order.id ? { ...order, [moved.kind]: moved.price } : order,
        ),
        instrument.unitsPerLot,
        profitOf,
      ),
      ...(liquidation ? [liquidationLine(liquidation)] : []),
      ...alerts.map((alert) =>
        alertLine(alert.id === movedAlert?.id ? { ...alert, price: movedAlert.price } : alert),
      ),
    ],
    [
      orders,
      instrument.unitsPerLot,
      shownLanguage,
      moved,
      movedAlert,
      liquidation,
      alerts,
      profitOf,
      returned,
    ],
  );
  const onExit = useCallback(
    (id: string, price: number) => {
      const exit = movedExit(id, price, orders);
      latestDrop.current = undefined;
      if (exit) setMoved({ ...exit, price: toPrice(price) });
    },
    [orders],
  );
  const onLineMoved = useCallback(
    async (id: string, price: number) => {
      const drop = {};
      latestDrop.current = drop;
      const alert = alerts.find((each) => each.id === alertOf(id));
      if (alert) {
        const placed = { id: alert.id, price: toPrice(price) };
        // It stays where it was dropped until the list comes without it.
        setMovedAlert(placed);
        const isThere = await moveAlert(alert, placed.price, instrument.id);
        if (!isThere) setMovedAlert((last) => (last === placed ? undefined : last));
        return;
      }
      const order = orders.find((each) => each.status === 'pending' && entryLine(each.id) === id);
      if (!order) return onExit(id, price);
      const amends = await hasFeature('amend');
      // The user may have gone on to something else.
      const isOver = latestDrop.current !== drop || isCovered();
      if (isOver || !amends.ok) giveBack((count) => count + 1);
      if (isOver) return;
      // An exit is not what was meant where the price could be amended.
      if (!amends.ok) showFailure(amends.failure);
      else if (amends.data) setMoved({ order, kind: 'originPrice', price: toPrice(price) });
      else onExit(id, price);
    },
    [orders, alerts, instrument.id, onExit],
  );
  const [pressed, press] = useState<readonly Order[]>();
  const [used, use] = useState(false);
  const onOrders = useCallback(
    (ids: readonly number[]) => {
      use(true);
      press(orders.filter(({ id }) => ids.includes(id)));
    },
    [orders],
  );
  const { key, onClose } = useOpening(moved, () => setMoved(undefined));
  return (
    <>
      <Chart
        live={live}
        instrument={instrument}
        period={period}
        bare={bare}
        status={status}
        lines={lines}
        onLineMoved={onLineMoved}
        onOrders={onOrders}
      />
      {used && <OrderChoice orders={pressed} onClose={() => press(undefined)} />}
      <PriceMenu
        key={instrument.id}
        live={live}
        instrument={instrument}
        orders={orders}
        onExit={onExit}
      />
      <Sheet
        open={moved !== undefined}
        onClose={onClose}
        title={
          moved
            ? t(moved.kind === 'originPrice' ? 'orders.amendOf' : 'exits.of', {
                order: `${t(`orders.side.${moved.order.side}`)} ${lotsText(moved.order.lots)}`,
                name: moved.order.name,
              })
            : ''
        }
      >
        {moved && (
          <MovedLine key={key} {...moved} order={asItIs(moved.order, orders)} onDone={onClose} />
        )}
      </Sheet>
    </>
  );
});
