import { useLocation } from 'react-router-dom';
import { PrepaymentWarning } from '../../positions/PrepaymentWarning';
import { ticketBeside } from '../../session/panes';
import { Skeleton } from '../../ui/Skeleton';
import { useMediaQuery, WIDE } from '../../ui/useMediaQuery';
import { useValue } from '../../useValue';
import { ChartPanel } from './chart/ChartPanel';
import { toolsOpen } from './drawings/toolsOpen';
import { InstrumentDetails } from './InstrumentDetails';
import { instrumentMissing } from './instrumentMissing';
import { PositionStrip } from './PositionStrip';
import { PriceTitle } from './PriceTitle';
import styles from './TradeScreen.module.css';
import { OrderBar } from './ticket/OrderBar';
import { PlacedSheet } from './ticket/PlacedSheet';
import { PlacedToast } from './ticket/PlacedToast';
import { TicketPanel } from './ticket/TicketPanel';
import { useCurrentRow } from './useCurrentRow';
import { useTradeActions } from './useTradeActions';

/**
 * `/trade` (screens.md#trade): the chart above two buttons; on a wide desktop, order form and
 * details beside it.
 */
export function TradeScreen() {
  const row = useCurrentRow();
  useTradeActions(row?.instrument.id);
  const wide = useMediaQuery(WIDE);
  const beside = useValue(ticketBeside) && wide;
  const drawing = useValue(toolsOpen) !== undefined;
  const absent = useValue(instrumentMissing);
  const { pathname } = useLocation();
  return (
    <div className={styles.screen} data-drawing={drawing || undefined}>
      <ChartPanel row={row} />
      {beside && (
        <aside className={styles.side}>
          {row ? (
            <>
              <TicketPanel key={row.instrument.id} row={row} side="buy" />
              <InstrumentDetails instrument={row.instrument} />
            </>
          ) : (
            !absent && <TicketSkeleton />
          )}
        </aside>
      )}
      {!wide && <PrepaymentWarning />}
      {!wide && row && <PositionStrip key={row.instrument.id} instrument={row.instrument} />}
      {!beside && row && <OrderBar row={row} />}
      {row && pathname === '/trade' && <PriceTitle row={row} />}
      {beside ? <PlacedToast /> : <PlacedSheet />}
    </div>
  );
}

function TicketSkeleton() {
  return (
    <div className={styles.ticket}>
      <Skeleton width={16} height={2.75} />
      <Skeleton width={3} />
      <Skeleton width={16} height={2.75} />
      <Skeleton width={5} />
      <Skeleton width={12} height={2} />
      <Skeleton width={8} height={1.25} />
      <Skeleton width={8} height={1.25} />
    </div>
  );
}
