import { type ComponentProps, useCallback, useState } from 'react';
import type { Order } from '#domain/trading/order';
import type { OrderSheet } from './OrderSheet';
import type { OpenOrder } from './openOrder';

type Shown = Omit<ComponentProps<typeof OrderSheet>, 'onClose'>;

/** The sheet of the orders of a table or list, and what opens it. */
export function useOrderSheet(): { show: OpenOrder; sheet: ComponentProps<typeof OrderSheet> } {
  const [shown, setShown] = useState<Shown>({ order: undefined, view: 'fields' });
  return {
    show: useCallback<OpenOrder>(
      (order: Order, view = 'fields', edits) => setShown({ order, view, edits }),
      [],
    ),
    // The sheet that closes stays what it is.
    sheet: { ...shown, onClose: () => setShown((now) => ({ ...now, order: undefined })) },
  };
}
