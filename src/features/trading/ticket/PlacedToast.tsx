import { useEffect } from 'react';
import { showPlaced } from '../../../positions/placedText';
import { useValue } from '../../../useValue';
import { placedOrder } from './placeOrder';

/** Reports a placed order in a toast, where its row appears on the same screen. */
export function PlacedToast() {
  const placed = useValue(placedOrder);
  useEffect(() => {
    if (!placed) return;
    placedOrder.value = undefined;
    showPlaced(placed);
  }, [placed]);
  return null;
}
