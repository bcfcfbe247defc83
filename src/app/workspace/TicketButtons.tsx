import type { PanelId } from '#domain/workspace/layout';
import { OrderBar } from '../../features/trading/ticket/OrderBar';
import { useRow } from '../../worker/useRow';
import { useCode } from './mainGroup';

/** In the place of an order form that has no room: two buttons that open it. */
export function TicketButtons({ id }: { id: PanelId }) {
  const row = useRow(useCode(id));
  return row && <OrderBar key={row.instrument.id} row={row} />;
}
