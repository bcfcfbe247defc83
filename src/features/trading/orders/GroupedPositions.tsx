import { useState } from 'react';
import type { Order } from '#domain/trading/order';
import { formatCount } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { Button } from '../../../ui/Button';
import { Checkbox } from '../../../ui/Checkbox';
import { useMediaQuery, WIDE } from '../../../ui/useMediaQuery';
import { useValue } from '../../../useValue';
import { oneClickClose } from '../settings';
import actionColumn from './actionColumn.module.css';
import { byInstrument, groupKey, type PositionGroup } from './bulkChange';
import { CellEditingContext, useCellEditing } from './editedCell';
import styles from './GroupedPositions.module.css';
import { GroupTableRow } from './GroupTableRow';
import { GROUP_COLUMNS } from './groupColumns';
import { NoOrders } from './NoOrders';
import type { OpenOrder } from './openOrder';
import { PositionCards } from './PositionCards';
import { PositionSheet } from './PositionSheet';
import { PositionTableRow } from './PositionTableRow';
import { actionOn, type PositionAction } from './positionAction';
import { useHeldOrders } from './useHeldOrders';

const LABELS = {
  exits: 'trade.position.exits',
  liquidation: 'account.liquidation',
} as const;

/**
 * The positions by instrument, each as one, with its orders below on request; some are closed at once, by one
 * confirmation (screens.md#orders).
 */
export default function GroupedPositions({ onOpen }: { onOpen: OpenOrder }) {
  const t = useT();
  const wide = useMediaQuery(WIDE);
  const { orders, held: all } = useHeldOrders();
  const total = orders.total ?? 0;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [action, setAction] = useState<PositionAction>();
  const oneClick = useValue(oneClickClose);
  // What has ended meanwhile is not closed.
  const selected = all.filter(({ id }) => chosen.has(id));
  const editing = useCellEditing(onOpen);
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  const choose = (of: readonly Order[], on: boolean) => {
    const next = new Set(chosen);
    for (const { id } of of) {
      if (on) next.add(id);
      else next.delete(id);
    }
    setChosen(next);
  };
  const groups = byInstrument(all);
  const begin = (view: PositionAction['view'], group: PositionGroup) =>
    setAction(actionOn(view, group.orders));
  const acted = action?.orders[0];
  const held = all.filter((order) => acted && groupKey(order) === groupKey(acted));

  return (
    <CellEditingContext value={editing}>
      {wide && (
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
            <Button variant="primary" onClick={() => setAction(actionOn('end', selected))}>
              {t('orders.closeSelected', { number: formatCount(selected.length) })}
            </Button>
          )}
        </div>
      )}
      {total > 0 && !wide && (
        <PositionCards
          groups={groups}
          open={open}
          onToggle={toggle}
          onAction={begin}
          onOpen={onOpen}
        />
      )}
      {(total === 0 || wide) && (
        <div className={styles.scroller}>
          {total === 0 && <NoOrders status="holding" orders={orders} within={false} />}
          {total > 0 && (
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">
                    <span className="visually-hidden">{t('orders.select')}</span>
                  </th>
                  {GROUP_COLUMNS.map((column) => (
                    <th key={column} scope="col" data-words={column === 'side' || undefined}>
                      {t(
                        column === 'exits' || column === 'liquidation'
                          ? LABELS[column]
                          : `orders.field.${column}`,
                      )}
                    </th>
                  ))}
                  <th scope="col" className={actionColumn.end}>
                    <span className="visually-hidden">{t('orders.actions')}</span>
                  </th>
                </tr>
              </thead>
              {groups.map((group) => (
                <tbody key={group.key}>
                  <GroupTableRow
                    group={group}
                    open={open.has(group.key)}
                    chosen={group.orders.filter(({ id }) => chosen.has(id)).length}
                    onToggle={() => toggle(group.key)}
                    onChoose={(on) => choose(group.orders, on)}
                    onAction={(view) => begin(view, group)}
                  />
                  {open.has(group.key) &&
                    group.orders.map((order) => (
                      <PositionTableRow
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
      )}
      <PositionSheet action={action} held={held} onAction={setAction} />
    </CellEditingContext>
  );
}
