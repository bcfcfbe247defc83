import { CHART_PERIODS } from '#domain/market/kline';
import type { Side } from '#domain/trading/order';
import { language, t } from '../../i18n/i18n';
import { useActions } from '../../shortcuts/actions';
import { useValue } from '../../useValue';
import { period } from './settings';
import { proposal } from './ticket/proposal';

const KEYS: Readonly<Record<Side, string>> = { buy: 'b', sell: 's' };

/** Periods by digits, and the order form of an instrument by B and S (screens.md#keyboard). */
export function useTradeActions(instrumentId: number | undefined): void {
  const shown = useValue(language);
  useActions(`trade ${instrumentId} ${shown}`, () => [
    ...(instrumentId === undefined ? [] : (['buy', 'sell'] as const)).map((side) => ({
      id: `ticket ${side}`,
      text: () => t(`trade.${side}`),
      key: KEYS[side],
      run: () => {
        if (instrumentId !== undefined) proposal.value = { instrumentId, side };
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
