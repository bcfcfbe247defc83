import { useRef } from 'react';
import { absolute, round, toNumber, toText } from '#domain/core/decimal';
import { CENTS } from '#domain/core/units';
import { netPosition } from '#domain/trading/netPosition';
import type { Order } from '#domain/trading/order';
import { netProfit } from '#domain/trading/profit';
import { formatAmount, formatPrice } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { LiquidationPrice } from '../../../positions/LiquidationPrice';
import { lotsText } from '../../../positions/lotsText';
import { Ltr } from '../../../ui/Ltr';
import { useValue } from '../../../useValue';
import { useProfits } from '../../../worker/useOrders';
import styles from './PositionFigures.module.css';
import { knownProfit, profitSeed, sumOf, writeProfit } from './profitText';

interface PositionFiguresProps {
  /** Of one instrument. */
  orders: readonly Order[];
  instrumentId: number;
  precision: number;
  /** Beside a chart, where a low window has little room. */
  beside?: boolean;
}

/** Positions of an instrument as one, with their profit net of fees, live (domain.md#net-position). */
export function PositionFigures({
  orders,
  instrumentId,
  precision,
  beside = false,
}: PositionFiguresProps) {
  const t = useT();
  const shownLanguage = useValue(language);
  const profit = useRef<HTMLSpanElement>(null);
  const { lots, side, entry, margin, fees, swap } = netPosition(orders);
  useProfits(
    orders.map(profitSeed),
    (profits) => {
      const sum = sumOf(profits.map(knownProfit));
      const net = sum && round(netProfit(sum, { fees, swap }), CENTS);
      writeProfit(profit.current, net, margin);
    },
    [shownLanguage, toText(margin), toText(fees), toText(swap)],
  );
  return (
    <div className={styles.net} data-beside={beside || undefined}>
      <p>
        <span>
          {side ? (
            <>
              <b className={styles.side} data-side={side}>
                {t(`trade.position.${side}`)}
              </b>{' '}
              {lotsText(absolute(lots))}
            </>
          ) : (
            t('trade.position.hedged')
          )}
        </span>
        {entry && (
          <span className={styles.most}>
            {t('trade.position.entry')} <Ltr>{formatPrice(toNumber(entry), precision)}</Ltr>
          </span>
        )}
      </p>
      <p>
        <span className={styles.most}>{t('orders.field.net')}</span>
        <span ref={profit} className={styles.profit} dir="ltr" translate="no" />
      </p>
      <p className={styles.more}>
        <span>
          {t('account.liquidation')}{' '}
          <LiquidationPrice instrumentId={instrumentId} precision={precision} />
        </span>
        <span className={styles.most}>
          {t('orders.field.margin')} <Ltr>{formatAmount(margin, CENTS)} USD</Ltr>
        </span>
      </p>
    </div>
  );
}
