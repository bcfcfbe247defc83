import { Ellipsis } from 'lucide-react';
import { useRef, useState } from 'react';
import { toText } from '#domain/core/decimal';
import type { Order } from '#domain/trading/order';
import { netResult } from '#domain/trading/profit';
import { language, useT } from '../../../i18n/i18n';
import { CallButton } from '../../../requests/CallButton';
import { passFocus } from '../../../ui/focusRefs';
import { NamedButton } from '../../../ui/NamedButton';
import { PopMenu } from '../../../ui/PopMenu';
import { writeText } from '../../../ui/textCell';
import { useValue } from '../../../useValue';
import { useCall } from '../../../worker/useCall';
import { useProfit } from '../../../worker/useOrders';
import { workerApi } from '../../../worker/workerApi';
import actionColumn from './actionColumn.module.css';
import { nameOf } from './closingText';
import { cellText } from './columns';
import { EditableCell } from './EditableCell';
import { HALF } from './EndOrder';
import { EXITS } from './editedCell';
import styles from './GroupedPositions.module.css';
import { GROUP_COLUMNS, writeNet } from './groupColumns';
import type { OpenOrder } from './openOrder';
import { knownProfit, latestText, profitSeed } from './profitText';
import { useParts } from './useParts';

interface PositionTableRowProps {
  order: Order;
  chosen: boolean;
  oneClick: boolean;
  onChoose(on: boolean): void;
  onOpen: OpenOrder;
}

/** A position with its actions. Its live figures are written into their cells. */
export function PositionTableRow({
  order,
  chosen,
  oneClick,
  onChoose,
  onOpen,
}: PositionTableRowProps) {
  const t = useT();
  const call = useCall();
  const shownLanguage = useValue(language);
  const net = useRef<HTMLTableCellElement>(null);
  const latest = useRef<HTMLTableCellElement>(null);
  const [menu, setMenu] = useState<Element>();
  useProfit(
    profitSeed(order),
    (live) => {
      const known = knownProfit(live);
      writeText(latest.current, latestText(live.price, order.precision));
      writeNet(net.current, known && netResult({ ...order, profit: known }));
    },
    [shownLanguage, order.precision, toText(order.fee), toText(order.swap)],
  );
  const written = { net, latest };
  const named = nameOf(order);
  const cellOf = (column: (typeof GROUP_COLUMNS)[number]) =>
    column === 'net' || column === 'latest' ? (
      <td key={column} ref={written[column]} dir="ltr" translate="no" />
    ) : column === 'liquidation' ? (
      <td key={column} />
    ) : (
      <td
        key={column}
        dir={column === 'side' ? undefined : 'ltr'}
        data-words={column === 'side' || undefined}
        data-lines={column === 'exits' || undefined}
        data-direction={column === 'side' ? (order.side === 'buy' ? 'up' : 'down') : undefined}
      >
        {column === 'exits' ? (
          <EditableCell
            order={order}
            column={column}
            terms={EXITS}
            label={t('trade.position.exits')}
          />
        ) : (
          cellText(column, order)
        )}
      </td>
    );
  return (
    <tr ref={passFocus}>
      <td>
        <input
          type="checkbox"
          className={styles.tick}
          aria-label={t('orders.selectOf', { name: named })}
          checked={chosen}
          onChange={(event) => onChoose(event.target.checked)}
        />
      </td>
      {GROUP_COLUMNS.map(cellOf)}
      <td className={actionColumn.end}>
        <span className={styles.actions}>
          {oneClick ? (
            <CallButton
              call={call}
              of={named}
              variant="quiet"
              label={t('orders.closeShort')}
              onClick={() => void call.run((key) => workerApi.closeOrder(order, key))}
            />
          ) : (
            <NamedButton of={named} variant="quiet" onClick={() => onOpen(order, 'end')}>
              {t('orders.closeShort')}
            </NamedButton>
          )}
          <button
            type="button"
            className={styles.more}
            aria-haspopup="menu"
            aria-label={t('orders.moreOf', { name: named })}
            onClick={({ currentTarget }) => setMenu(currentTarget)}
          >
            <Ellipsis size={20} />
          </button>
        </span>
        {menu && (
          <PositionMenu
            order={order}
            anchor={menu}
            onOpen={onOpen}
            onClose={() => setMenu(undefined)}
          />
        )}
      </td>
    </tr>
  );
}

interface PositionMenuProps {
  order: Order;
  anchor: Element;
  onOpen: OpenOrder;
  onClose(): void;
}

/** What else can be done with a position; each opens its sheet. */
function PositionMenu({ order, anchor, onOpen, onClose }: PositionMenuProps) {
  const t = useT();
  const halves = useParts(order).some(({ percent }) => percent === HALF);
  return (
    <PopMenu
      anchor={anchor}
      label={order.name}
      items={[
        { text: t('orders.editStops'), onSelect: () => onOpen(order, 'exits') },
        { text: t('orders.half'), disabled: !halves, onSelect: () => onOpen(order, 'half') },
        {
          text: t('orders.reverse.name'),
          disabled: order.instrumentId === 0,
          onSelect: () => onOpen(order, 'reverse'),
        },
        { text: t('orders.close'), onSelect: () => onOpen(order, 'end') },
        { text: t('orders.details'), onSelect: () => onOpen(order) },
      ]}
      onClose={onClose}
    />
  );
}
