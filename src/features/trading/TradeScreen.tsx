import { CHART_PERIODS } from '#domain/market/kline';
import type { Side } from '#domain/trading/order';
import { language, t } from '../../i18n/i18n';
import { proposal } from '../../instruments/proposal';
import { MarginLevelWarning } from '../../positions/MarginLevelWarning';
import { useActions } from '../../shortcuts/actions';
import { useValue } from '../../useValue';
import { ChartView } from './chart/ChartView';
import { useToolsOpen } from './drawings/toolsOpen';
import { PositionStrip } from './PositionStrip';
import { PriceTitle } from './PriceTitle';
import { period } from './settings';
import styles from './TradeScreen.module.css';
import { OrderBar } from './ticket/OrderBar';
import { PlacedSheet } from './ticket/PlacedSheet';
import { useCurrentRow } from './useCurrentRow';

/** `/trade` on a phone (screens.md#trade): the chart above two buttons. */
export function TradeScreen() {
  const row = useCurrentRow();
  useTradeActions(row?.instrument.code);
  const drawing = useToolsOpen() !== undefined;
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

const KEYS: Readonly<Record<Side, string>> = { buy: 'b', sell: 's' };

/** Periods by digits, and the order form of an instrument by B and S (screens.md#keyboard). */
function useTradeActions(code: string | undefined): void {
  const shown = useValue(language);
  useActions(`trade ${code} ${shown}`, () => [
    ...(code === undefined ? [] : (['buy', 'sell'] as const)).map((side) => ({
      id: `ticket ${side}`,
      text: () => t(`trade.${side}`),
      key: KEYS[side],
      run: () => {
        if (code !== undefined) proposal.value = { code, side };
      },
    })),
    ...CHART_PERIODS.map((each, index) => ({
      id: `period ${each}`,
      text: () =>
        t('common.labelled', { label: t('trade.periods'), text: t(`trade.period.${each}`) }),
      ...(index < 9 && { key: String(index + 1) }),
      run: () => {
        period.value = each;
      },
    })),
  ]);
}
