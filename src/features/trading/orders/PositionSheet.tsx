import { useId } from 'react';
import { absolute } from '#domain/core/decimal';
import { netLots } from '#domain/trading/netPosition';
import type { Order } from '#domain/trading/order';
import { useT } from '../../../i18n/i18n';
import { lotsText } from '../../../positions/lotsText';
import { Sheet } from '../../../ui/Sheet';
import { CloseAllForm } from './CloseAll';
import { OrderRow } from './OrderRow';
import { OrderSheet } from './OrderSheet';
import { PositionExits } from './PositionExits';
import { netSideOf, type PositionAction } from './positionAction';

interface PositionSheetProps {
  action: PositionAction | undefined;
  /** The positions as they are now. */
  held: readonly Order[];
  onAction(action: PositionAction | undefined): void;
}

/**
 * An action on the positions of an instrument: on the only one its own sheet; several are closed together, have their exits
 * set together on the net side, or are a choice (screens.md#position).
 */
export function PositionSheet({ action, held, onAction }: PositionSheetProps) {
  const t = useT();
  const close = () => onAction(undefined);
  const question = useId();
  const several = action?.order ? undefined : action;
  const side = several?.view === 'exits' ? netSideOf(several.orders) : [];
  const [first] = side;
  const title = () => {
    if (several?.view === 'end') return t('orders.closeAll.title');
    if (several?.view === 'reverse') return t('orders.reverse.name');
    if (!first) return t('orders.editStops');
    const size = lotsText(absolute(netLots(side)));
    return t('exits.of', { order: `${t(`orders.side.${first.side}`)} ${size}`, name: first.name });
  };
  return (
    <>
      <OrderSheet order={action?.order} view={action?.view ?? 'fields'} onClose={close} />
      <Sheet
        open={several !== undefined}
        onClose={close}
        title={title()}
        describedBy={several?.view === 'end' ? question : undefined}
      >
        {several?.view === 'end' && (
          <CloseAllForm orders={several.orders} question={question} onDone={close} />
        )}
        {first && <PositionExits orders={side} held={held} title={title()} onDone={close} />}
        {several &&
          several.view !== 'end' &&
          !first &&
          held.map((order) => (
            <OrderRow key={order.id} order={order} onOpen={() => onAction({ ...several, order })} />
          ))}
      </Sheet>
    </>
  );
}
