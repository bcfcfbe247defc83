import { useCallback, useEffect, useId, useRef, useState } from 'react';
import type { Order } from '#domain/trading/order';
import { useT } from '../../../i18n/i18n';
import { EditExits } from '../../../positions/EditExits';
import { useFeature } from '../../../requests/accountSettings';
import { Button } from '../../../ui/Button';
import { ButtonPair } from '../../../ui/ButtonPair';
import { Sheet } from '../../../ui/Sheet';
import { useLastDefined } from '../../../ui/useLastDefined';
import { useOpening } from '../../../ui/useOpening';
import { onEvent } from '../../../worker/frameReceiver';
import { useOrdersOf } from '../../../worker/useOrders';
import { useRow } from '../../../worker/useRow';
import { AmendOrder } from '../amend/lazyParts';
import type { AmendForm } from '../amend/useAmendment';
import { EndOrder } from './EndOrder';
import { OrderFields } from './OrderFields';
import type { OrderView } from './openOrder';
import { ReverseOrder, type Reversing } from './ReverseOrder';

interface OrderSheetProps {
  order: Order | undefined;
  /** The view that opens first. */
  view: OrderView;
  /** What that view begins with, entered in the row, which is only to be confirmed. */
  edits?: Partial<AmendForm> | undefined;
  onClose(): void;
}

/** The views that ask a question. */
const ASKS: readonly OrderView[] = ['end', 'half', 'reverse'];

/**
 * Details of an order and its actions (screens.md#order-details). Closes when the order is closed
 * by a push.
 */
export function OrderSheet(props: OrderSheetProps) {
  const { key, onClose } = useOpening(props.order, props.onClose);
  return <OpenedOrder key={key} {...props} onClose={onClose} />;
}

function OpenedOrder({ order: opened, view: first, edits, onClose }: OrderSheetProps) {
  const t = useT();
  /** While a position is reversed, its close does not close the sheet. */
  const reversing = useRef<Reversing>('no');
  const ended = useCallback(() => {
    if (reversing.current === 'no') onClose();
    else reversing.current = 'ended';
  }, [onClose]);
  const order = useOrderNow(opened, ended);
  const [chosen, setView] = useState<OrderView>(first);
  // It was filled meanwhile.
  const view = chosen === 'amend' && order?.status !== 'pending' ? 'fields' : chosen;
  const question = useId();
  const back = () => (edits ? onClose() : setView('fields'));
  const open = order?.status !== 'closed';
  return (
    <Sheet
      open={opened !== undefined}
      onClose={onClose}
      title={order ? t('orders.sheet', { name: order.name, id: order.id }) : ''}
      describedBy={ASKS.includes(view) ? question : undefined}
      foot={
        order && open && view === 'fields' ? (
          <ButtonPair>
            <EditButton order={order} onEdit={setView} />
            {order.status === 'holding' && order.instrumentId > 0 && (
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
      {order && view === 'amend' && <AmendOrder order={order} edits={edits} onDone={back} />}
      {order && view === 'exits' && <EditExits order={order} edits={edits} onDone={back} />}
      {order && view === 'reverse' && (
        <ReverseOrder
          order={order}
          question={question}
          reversing={reversing}
          onBack={back}
          onDone={onClose}
        />
      )}
      {order && (view === 'end' || view === 'half') && (
        <EndOrder
          order={order}
          question={question}
          half={view === 'half'}
          onBack={back}
          onEnded={onClose}
        />
      )}
    </Sheet>
  );
}

/** The exits of a position; of a pending order all terms, where the server can amend it. */
function EditButton({ order, onEdit }: { order: Order; onEdit(view: OrderView): void }) {
  const t = useT();
  const amends = useFeature('amend');
  const listed = useRow(order.code)?.instrument.id === order.instrumentId;
  const all = order.status === 'pending' && amends && listed;
  return (
    <Button onClick={() => onEdit(all ? 'amend' : 'exits')}>
      {t(all ? 'orders.amend' : 'orders.editStops')}
    </Button>
  );
}

/**
 * The order as it is now, or was last. From the open orders, which answers and lists change as well: without a websocket no push does
 * (protocol.md#without-a-websocket), and what is saved replaces what this shows.
 */
function useOrderNow(opened: Order | undefined, onEnded: () => void): Order | undefined {
  const watched = opened && opened.status !== 'closed' ? opened : undefined;
  const orders = useOrdersOf(watched?.instrumentId);
  const now = useLastDefined(orders.find(({ id }) => id === watched?.id));
  useEffect(() => {
    if (!watched) return;
    return onEvent((event) => {
      if (event.type === 'order-closed' && event.order.id === watched.id) onEnded();
    });
  }, [watched, onEnded]);
  return opened && (now ?? opened);
}
