import { MarginLevelWarning } from '../../positions/MarginLevelWarning';
import { useValue } from '../../useValue';
import { ChartView } from './chart/ChartView';
import { toolsOpen } from './drawings/toolsOpen';
import { PositionStrip } from './PositionStrip';
import { PriceTitle } from './PriceTitle';
import styles from './TradeScreen.module.css';
import { OrderBar } from './ticket/OrderBar';
import { PlacedSheet } from './ticket/PlacedSheet';
import { useCurrentRow } from './useCurrentRow';
import { useTradeActions } from './useTradeActions';

/** `/trade` on a phone (screens.md#trade): the chart above two buttons. */
export function TradeScreen() {
  const row = useCurrentRow();
  useTradeActions(row?.instrument.id);
  const drawing = useValue(toolsOpen) !== undefined;
  return (
    <div className={styles.screen} data-drawing={drawing || undefined}>
      <ChartView row={row} />
      <MarginLevelWarning />
      {row && <PositionStrip key={row.instrument.id} instrument={row.instrument} />}
      {row && <OrderBar row={row} />}
      {row && <PriceTitle row={row} />}
      <PlacedSheet />
    </div>
  );
}
