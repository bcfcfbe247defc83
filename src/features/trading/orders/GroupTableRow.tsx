import { ChevronDown, ChevronRight } from 'lucide-react';
import { useRef } from 'react';
import { absolute, toNumber, toText } from '#domain/core/decimal';
import { CENTS } from '#domain/core/units';
import { netPosition } from '#domain/trading/netPosition';
import type { Order } from '#domain/trading/order';
import { netProfit } from '#domain/trading/profit';
import { formatAmount, formatCount, formatExact, formatPrice } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { LiquidationPrice } from '../../../positions/LiquidationPrice';
import { passFocus } from '../../../ui/focusRefs';
import { NamedButton } from '../../../ui/NamedButton';
import { writeText } from '../../../ui/textCell';
import { useValue } from '../../../useValue';
import { useProfit, useProfits } from '../../../worker/useOrders';
import actionColumn from './actionColumn.module.css';
import type { PositionGroup } from './bulkChange';
import styles from './GroupedPositions.module.css';
import { writeNet } from './groupColumns';
import { type PositionAction, precisionOf } from './positionAction';
import { knownProfit, latestText, profitSeed, sumOf } from './profitText';

interface GroupTableRowProps {
  group: PositionGroup;
  /** Its orders are shown below it. */
  open: boolean;
  /** How many of them are chosen. */
  chosen: number;
  onToggle(): void;
  onChoose(on: boolean): void;
  onAction(view: PositionAction['view']): void;
}

/** The positions of an instrument as one (domain.md#net-position), live. */
export function GroupTableRow({
  group: { name, orders },
  open,
  chosen,
  onToggle,
  onChoose,
  onAction,
}: GroupTableRowProps) {
  const t = useT();
  const shownLanguage = useValue(language);
  const net = useRef<HTMLTableCellElement>(null);
  const latest = useRef<HTMLTableCellElement>(null);
  const { lots, side, entry, margin, fees, swap } = netPosition(orders);
  const precision = precisionOf(orders);
  // Buys and sells close at different prices: the net side's is that of the whole.
  const priced = orders.find((order) => order.side === side) ?? (orders[0] as Order);
  useProfits(
    orders.map(profitSeed),
    (profits) => {
      const sum = sumOf(profits.map(knownProfit));
      writeNet(net.current, sum && netProfit(sum, { fees, swap }));
    },
    [shownLanguage, toText(fees), toText(swap)],
  );
  useProfit(
    profitSeed(priced),
    ({ price }) => writeText(latest.current, latestText(price, precision)),
    [shownLanguage, precision],
  );
  const Arrow = open ? ChevronDown : ChevronRight;
  return (
    <tr ref={passFocus} className={styles.group}>
      <td>
        <input
          type="checkbox"
          className={styles.tick}
          aria-label={t('orders.selectOf', { name })}
          checked={chosen === orders.length}
          ref={(box) => {
            if (box) box.indeterminate = chosen > 0 && chosen < orders.length;
          }}
          onChange={(event) => onChoose(event.target.checked)}
        />
      </td>
      <th scope="rowgroup" data-words>
        <button type="button" className={styles.fold} aria-expanded={open} onClick={onToggle}>
          <Arrow size={16} />
          {name}{' '}
          <span className={styles.count}>
            {t('orders.count', { count: orders.length, number: formatCount(orders.length) })}
          </span>
        </button>
      </th>
      <td>
        {side ? (
          <>
            <b className={styles.side} data-side={side}>
              {t(`trade.position.${side}`)}
            </b>{' '}
            <bdi dir="ltr">{formatExact(absolute(lots))}</bdi>
          </>
        ) : (
          t('trade.position.hedged')
        )}
      </td>
      <td ref={net} dir="ltr" translate="no" />
      <td dir="ltr" translate="no">
        {entry ? formatPrice(toNumber(entry), precision) : '–'}
      </td>
      <td ref={latest} dir="ltr" translate="no" />
      <td dir="ltr">
        <LiquidationPrice instrumentId={priced.instrumentId} precision={precision} />
      </td>
      <td />
      <td dir="ltr" translate="no">
        {formatAmount(margin, CENTS)}
      </td>
      <td className={actionColumn.end}>
        <span className={styles.actions}>
          <NamedButton of={name} variant="quiet" onClick={() => onAction('exits')}>
            {t('trade.position.exits')}
          </NamedButton>
          <NamedButton of={name} variant="quiet" onClick={() => onAction('end')}>
            {t(orders.length > 1 ? 'orders.closeAll.button' : 'orders.closeShort')}
          </NamedButton>
        </span>
      </td>
    </tr>
  );
}
