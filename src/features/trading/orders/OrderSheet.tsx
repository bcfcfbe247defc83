import { useEffect, useEffectEvent, useId } from 'react';
import type { GatewayEvent } from '#domain/gateway/gateway';
import type { Order } from '#domain/trading/order';
import { onEvent } from '../../../gateway/pump';
import { useT } from '../../../i18n/i18n';
import { EditStops } from '../../../positions/EditStops';
import { Button } from '../../../ui/Button';
import { ButtonPair } from '../../../ui/ButtonPair';
import { Sheet } from '../../../ui/Sheet';
import { useOpening, useOpeningState } from '../../../ui/useOpening';
import { EndOrder } from './EndOrder';
import { OrderFields } from './OrderFields';
import { ReverseOrder, type Reversing } from './ReverseOrder';

interface OrderSheetProps {
  order: Order | undefined;
  /** The view that opens first. */
  view: OrderView;
  onClose(): void;
}

/** `half`: the end, of a half of the lots. */
export type OrderView = 'fields' | 'stops' | 'end' | 'half' | 'reverse';
/** Opens an order, by default at its fields. */
export type OpenOrder = (order: Order, view?: OrderView) => void;

/**
 * Details of an order and its actions (screens.md#order-details). Closes when the order is closed
 * by a push.
 */
export function OrderSheet({ order: opened, view: first, onClose }: OrderSheetProps) {
  const t = useT();
  const { shown, opening, close } = useOpening(opened, onClose);
  const [changed, setChanged] = useOpeningState<Order | undefined>(opening, undefined);
  const [view, setView] = useOpeningState<OrderView>(opening, first);
  const order = changed ?? shown;
  /** While a position is reversed, its close does not close the sheet. */
  const [reversing] = useOpeningState<{ current: Reversing }>(opening, { current: 'no' });
  useChanges(opened, setChanged, () => {
    if (reversing.current === 'no') close();
    else reversing.current = 'ended';
  });
  const question = useId();
  const back = () => setView('fields');
  const open = order?.status !== 'closed';
  return (
    <Sheet
      open={opened !== undefined}
      onClose={onClose}
      title={order ? t('orders.sheet', { name: order.name, id: order.id }) : ''}
      describedBy={view === 'fields' || view === 'stops' ? undefined : question}
      foot={
        order && open && view === 'fields' ? (
          <ButtonPair>
            <Button onClick={() => setView('stops')}>{t('orders.editStops')}</Button>
            {order.status === 'holding' && (
              <Button onClick={() => setView('reverse')}>{t('orders.reverse.name')}</Button>
            )}
            <Button variant="primary" onClick={() => setView('end')}>
              {t(order.status === 'holding' ? 'orders.close' : 'orders.cancel')}
            </Button>
          </ButtonPair>
        ) : undefined
      }
    >
      {order && view === 'fields' && <OrderFields order={order} />}
      {order && view === 'stops' && <EditStops key={opening} order={order} onDone={back} />}
      {order && view === 'reverse' && (
        <ReverseOrder
          key={opening}
          order={order}
          question={question}
          reversing={reversing}
          onBack={back}
          onDone={close}
        />
      )}
      {order && (view === 'end' || view === 'half') && (
        <EndOrder
          key={opening}
          order={order}
          question={question}
          half={view === 'half'}
          onBack={back}
          onEnded={close}
        />
      )}
    </Sheet>
  );
}

/** Reports the changes and the end of an order that are pushed while it is open here. */
function useChanges(
  opened: Order | undefined,
  onChanged: (order: Order) => void,
  onEnded: () => void,
): void {
  const handle = useEffectEvent((event: GatewayEvent) => {
    if (event.type === 'order-changed' && event.order.id === opened?.id) onChanged(event.order);
    if (event.type === 'order-closed' && event.order.id === opened?.id) onEnded();
  });
  const live = opened !== undefined && opened.status !== 'closed';
  useEffect(() => (live ? onEvent((event) => handle(event)) : undefined), [live]);
}
