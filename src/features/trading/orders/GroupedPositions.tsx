import { Ellipsis } from 'lucide-react';
import { useRef, useState } from 'react';
import { add, round, sign } from '#domain/core/decimal';
import { CENTS, toUsd, type Usd } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import { formatAmount, formatCount, formatExact } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { CallButton } from '../../../requests/CallButton';
import { Button } from '../../../ui/Button';
import { Checkbox } from '../../../ui/Checkbox';
import { directionOf } from '../../../ui/direction';
import { PopMenu } from '../../../ui/PopMenu';
import { Sheet } from '../../../ui/Sheet';
import { writeText } from '../../../ui/textCell';
import { useValue } from '../../../useValue';
import { netLots } from '../../../worker/positions';
import { useCall } from '../../../worker/useCall';
import { useOrders, useProfit, useProfitSum } from '../../../worker/useOrders';
import { workerApi } from '../../../worker/workerApi';
import { oneClickClose } from '../settings';
import { CloseAllForm } from './CloseAll';
import { byInstrument } from './closeOrders';
import { type ColumnName, cellText } from './columns';
import { HALF } from './EndOrder';
import styles from './GroupedPositions.module.css';
import { NoOrders } from './NoOrders';
import type { OpenOrder } from './OrderSheet';
import { knownProfit, latestText, profitSeed } from './profitText';
import { useParts } from './useParts';

/** Orders of an account that are grouped at most; the plain table shows any number. */
const MOST = 1000;

const COLUMNS = ['side', 'lots', 'profit', 'price', 'latest', 'exits', 'margin'] as const;

function writeProfit(cell: HTMLElement | null, profit: Usd | undefined): void {
  writeText(cell, profit ? formatAmount(profit, CENTS, 'always') : '–');
  const direction = directionOf(profit ? sign(round(profit, CENTS)) : 0);
  if (cell && cell.dataset['direction'] !== direction) cell.dataset['direction'] = direction;
}

/**
 * The positions by instrument, with their totals; some of them are closed at once, by one
 * confirmation (screens.md#orders).
 */
export default function GroupedPositions({ onOpen }: { onOpen: OpenOrder }) {
  const t = useT();
  const orders = useOrders('holding', 0, MOST);
  const total = orders.total ?? 0;
  const all = Array.from({ length: Math.min(total, MOST) }, (_, index) => orders.at(index)).filter(
    (order) => order !== undefined,
  );
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [closing, setClosing] = useState<readonly Order[]>();
  const oneClick = useValue(oneClickClose);
  // What has ended meanwhile is not closed.
  const selected = all.filter(({ id }) => chosen.has(id));
  const choose = (of: readonly Order[], on: boolean) => {
    const next = new Set(chosen);
    for (const { id } of of) {
      if (on) next.add(id);
      else next.delete(id);
    }
    setChosen(next);
  };
  const done = () => {
    setClosing(undefined);
    setChosen(new Set());
  };

  return (
    <>
      <div className={styles.tools}>
        <Checkbox
          checked={oneClick}
          onChange={(on) => {
            oneClickClose.value = on;
          }}
        >
          {t('orders.oneClick')}
        </Checkbox>
        {selected.length > 0 && (
          <Button variant="primary" onClick={() => setClosing(selected)}>
            {t('orders.closeSelected', { number: formatCount(selected.length) })}
          </Button>
        )}
      </div>
      <div className={styles.scroller}>
        {total === 0 && <NoOrders status="holding" orders={orders} within={false} />}
        {total > 0 && (
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">
                  <span className="visually-hidden">{t('orders.select')}</span>
                </th>
                {COLUMNS.map((column) => (
                  <th key={column} scope="col" data-words={column === 'side' || undefined}>
                    {t(column === 'exits' ? 'trade.position.exits' : `orders.field.${column}`)}
                  </th>
                ))}
                <th scope="col">
                  <span className="visually-hidden">{t('orders.actions')}</span>
                </th>
              </tr>
            </thead>
            {byInstrument(all).map((group) => (
              <tbody key={group.instrumentId}>
                <GroupRow
                  name={group.name}
                  orders={group.orders}
                  chosen={group.orders.filter(({ id }) => chosen.has(id)).length}
                  onChoose={(on) => choose(group.orders, on)}
                  onClose={() => setClosing(group.orders)}
                />
                {group.orders.map((order) => (
                  <PositionRow
                    key={order.id}
                    order={order}
                    chosen={chosen.has(order.id)}
                    oneClick={oneClick}
                    onChoose={(on) => choose([order], on)}
                    onOpen={onOpen}
                  />
                ))}
              </tbody>
            ))}
          </table>
        )}
      </div>
      <Sheet
        open={closing !== undefined}
        onClose={() => setClosing(undefined)}
        title={t('orders.closeAll.title')}
      >
        {closing && <CloseAllForm orders={closing} onDone={done} />}
      </Sheet>
    </>
  );
}

interface GroupRowProps {
  name: string;
  orders: readonly Order[];
  /** How many of them are chosen. */
  chosen: number;
  onChoose(on: boolean): void;
  onClose(): void;
}

/** An instrument with the totals of its positions. */
function GroupRow({ name, orders, chosen, onChoose, onClose }: GroupRowProps) {
  const t = useT();
  const shownLanguage = useValue(language);
  const profit = useRef<HTMLTableCellElement>(null);
  useProfitSum(orders.map(profitSeed), (sum) => writeProfit(profit.current, sum), [shownLanguage]);
  const margin = orders.reduce<Usd>((sum, order) => add(sum, order.margin), toUsd(0));
  return (
    <tr className={styles.group}>
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
        {name} <span className={styles.count}>{t('orders.count', { count: orders.length })}</span>
      </th>
      <td dir="ltr" translate="no">
        {formatExact(netLots(orders))}
      </td>
      <td ref={profit} dir="ltr" translate="no" />
      <td />
      <td />
      <td />
      <td dir="ltr" translate="no">
        {formatAmount(margin, CENTS)}
      </td>
      <td>
        {orders.length > 1 && (
          <span className={styles.actions}>
            <Button variant="quiet" onClick={onClose}>
              {t('orders.closeAll.button')}
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}

interface PositionRowProps {
  order: Order;
  chosen: boolean;
  oneClick: boolean;
  onChoose(on: boolean): void;
  onOpen: OpenOrder;
}

/** A position with its actions. Its live figures are written into their cells. */
function PositionRow({ order, chosen, oneClick, onChoose, onOpen }: PositionRowProps) {
  const t = useT();
  const call = useCall();
  const shownLanguage = useValue(language);
  const profit = useRef<HTMLTableCellElement>(null);
  const latest = useRef<HTMLTableCellElement>(null);
  const [menu, setMenu] = useState<Element>();
  useProfit(
    profitSeed(order),
    (live) => {
      writeText(latest.current, latestText(live.price, order.precision));
      writeProfit(profit.current, knownProfit(live));
    },
    [shownLanguage, order.precision],
  );
  const written = { profit, latest };
  const named = { side: t(`orders.side.${order.side}`), size: formatExact(order.lots) };
  const cellOf = (column: ColumnName) =>
    column === 'profit' || column === 'latest' ? (
      <td key={column} ref={written[column]} dir="ltr" translate="no" />
    ) : (
      <td
        key={column}
        dir={column === 'side' ? undefined : 'ltr'}
        data-words={column === 'side' || undefined}
        data-lines={column === 'exits' || undefined}
        data-direction={column === 'side' ? (order.side === 'buy' ? 'up' : 'down') : undefined}
      >
        {cellText(column, order)}
      </td>
    );
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          className={styles.tick}
          aria-label={t('orders.selectOf', {
            name: `${order.name}, ${named.side} ${named.size}`,
          })}
          checked={chosen}
          onChange={(event) => onChoose(event.target.checked)}
        />
      </td>
      {COLUMNS.map(cellOf)}
      <td>
        <span className={styles.actions}>
          {oneClick ? (
            <CallButton
              call={call}
              variant="quiet"
              label={t('orders.closeShort')}
              onClick={() => void call.run((key) => workerApi.closeOrder(order, key))}
            />
          ) : (
            <Button variant="quiet" onClick={() => onOpen(order, 'end')}>
              {t('orders.closeShort')}
            </Button>
          )}
          <button
            type="button"
            className={styles.more}
            aria-haspopup="menu"
            aria-label={t('orders.moreOf', {
              name: `${order.name}, ${named.side} ${named.size}`,
            })}
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
        { text: t('orders.reverse.name'), onSelect: () => onOpen(order, 'reverse') },
        { text: t('orders.close'), onSelect: () => onOpen(order, 'end') },
        { text: t('orders.details'), onSelect: () => onOpen(order) },
      ]}
      onClose={onClose}
    />
  );
}
