import { memo, type ReactNode, use, useRef } from 'react';
import { round, sign, toNumber, toText } from '#domain/core/decimal';
import { CENTS, toPrice } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import { netResult } from '#domain/trading/profit';
import { formatAmount, formatExact } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { directionOf } from '../../../ui/direction';
import { passFocus } from '../../../ui/focusRefs';
import { writeText } from '../../../ui/textCell';
import { useValue } from '../../../useValue';
import { useProfit } from '../../../worker/useOrders';
import { awayText, kindText } from '../ticket/pendingText';
import actionColumn from './actionColumn.module.css';
import { type ColumnName, cellText, columnLabel, LIVE, TIMES, WORDS } from './columns';
import { EditableCell } from './EditableCell';
import { CellEditingContext, termsOfCell } from './editedCell';
import styles from './OrderTable.module.css';
import type { OpenOrder } from './openOrder';
import { knownProfit, latestText } from './profitText';

interface OrderTableRowProps {
  order: Order;
  index: number;
  columns: readonly ColumnName[];
  onOpen: OpenOrder;
}

/** An order in the table. Live figures are written into their cells. */
export const OrderTableRow = memo(function OrderTableRow(props: OrderTableRowProps) {
  return props.order.status === 'closed' ? <Row {...props} /> : <LiveRow {...props} />;
});

function LiveRow(props: OrderTableRowProps) {
  const { order } = props;
  const shownLanguage = useValue(language);
  const cells = useRef<Partial<Record<ColumnName, HTMLElement | null>>>({});
  useProfit(
    { id: order.id, profit: toText(order.profit), price: toNumber(order.updatePrice) },
    (live) => {
      const { latest, profit, distance } = cells.current;
      writeText(latest ?? null, latestText(live.price, order.precision));
      const updatePrice = toPrice(live.price > 0 ? live.price : 0);
      writeText(distance ?? null, awayText({ ...order, updatePrice }));
      const value = knownProfit(live);
      writeText(profit ?? null, value ? formatAmount(value, CENTS, 'always') : '–');
      profit?.setAttribute('data-direction', directionOf(value ? sign(round(value, CENTS)) : 0));
    },
    [shownLanguage, order.precision, toText(order.originPrice)],
  );
  return <Row {...props} cells={cells.current} />;
}

interface RowProps extends OrderTableRowProps {
  /** Cells that React leaves empty because they are painted. */
  cells?: Partial<Record<ColumnName, HTMLElement | null>>;
}

function Row({ order, index, columns, onOpen, cells }: RowProps) {
  const t = useT();
  const named = `${order.name} · ${kindText(order)} ${formatExact(order.lots)}`;
  const end = t(order.status === 'holding' ? 'orders.closeShort' : 'orders.cancelShort');
  const amends = use(CellEditingContext)?.amends;
  const content = (column: ColumnName): ReactNode => {
    const terms = amends === undefined ? undefined : termsOfCell(column, order, amends);
    if (!terms) return cellText(column, order);
    const label = t(columnLabel(column));
    return <EditableCell order={order} column={column} terms={terms} label={label} />;
  };
  const direction = (column: ColumnName) => {
    if (column === 'side') return order.side === 'buy' ? 'up' : 'down';
    if (column === 'net') return directionOf(sign(round(netResult(order), CENTS)));
    return column === 'profit' ? directionOf(sign(order.profit)) : undefined;
  };
  return (
    <tr
      ref={passFocus}
      className={styles.row}
      aria-rowindex={index + 2}
      onClick={() => onOpen(order)}
    >
      {columns.map((column) =>
        cells && LIVE.has(column) ? (
          <td
            key={column}
            dir="ltr"
            translate="no"
            ref={(element) => {
              cells[column] = element;
            }}
          />
        ) : (
          <td
            key={column}
            dir={WORDS.has(column) || TIMES.has(column) ? undefined : 'ltr'}
            data-words={WORDS.has(column) || undefined}
            data-lines={column === 'exits' || TIMES.has(column) || undefined}
            data-direction={direction(column)}
          >
            {column === 'name' ? (
              <button
                type="button"
                className={styles.open}
                aria-label={t('orders.sheet', { name: order.name, id: order.id })}
                translate="no"
              >
                {order.name}
              </button>
            ) : (
              content(column)
            )}
          </td>
        ),
      )}
      {order.status !== 'closed' && (
        <td className={actionColumn.end}>
          <button
            type="button"
            className={styles.action}
            aria-label={t('common.labelled', { label: end, text: named })}
            onClick={(event) => {
              event.stopPropagation();
              onOpen(order, 'end');
            }}
          >
            {end}
          </button>
        </td>
      )}
    </tr>
  );
}
