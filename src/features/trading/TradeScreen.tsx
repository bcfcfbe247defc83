import { PrepaymentWarning } from '../../positions/PrepaymentWarning';
import { useMediaQuery, WIDE } from '../../ui/useMediaQuery';
import { ChartPanel } from './chart/ChartPanel';
import { InstrumentDetails } from './InstrumentDetails';
import styles from './TradeScreen.module.css';
import { OrderBar } from './ticket/OrderBar';
import { PlacedSheet } from './ticket/PlacedSheet';
import { TicketPanel } from './ticket/TicketPanel';
import { useCurrentRow } from './useCurrentRow';

/**
 * `/trade` (screens.md#trade): the chart above two buttons; on a desktop, order form and details
 * beside it.
 */
export function TradeScreen() {
  const row = useCurrentRow();
  const wide = useMediaQuery(WIDE);
  return (
    <div className={styles.screen}>
      <ChartPanel row={row} />
      {wide && (
        <aside className={styles.side}>
          {row && (
            <>
              <TicketPanel key={row.instrument.id} row={row} side="buy" />
              <InstrumentDetails instrument={row.instrument} />
            </>
          )}
        </aside>
      )}
      {!wide && <PrepaymentWarning />}
      {!wide && row && <OrderBar row={row} />}
      <PlacedSheet />
    </div>
  );
}
