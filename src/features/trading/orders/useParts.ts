import type { Order } from '#domain/trading/order';
import { type Part, partsOf } from '#domain/trading/rules';
import { useFeature } from '../../../requests/accountSettings';
import { useRow } from '../../../worker/useRow';

const NONE: readonly Part[] = [];

/** The parts of a position that can be closed; none where the server closes orders whole (protocol.md#partial-close). */
export function useParts(order: Order): readonly Part[] {
  const closesParts = useFeature('partial_close');
  const instrument = useRow(order.code)?.instrument;
  if (!closesParts || order.status !== 'holding') return NONE;
  return instrument?.id === order.instrumentId ? partsOf(order, instrument) : NONE;
}
