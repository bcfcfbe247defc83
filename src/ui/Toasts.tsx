import { type ComponentType, useEffect, useState } from 'react';
import { useValue } from '../signals';
import { type ToastMessage, toasts } from './toasts';

export const loadToastHost = () => import('./ToastHost');

/** Where toasts appear. Its code comes with the first one at the latest. */
export function Toasts() {
  const waiting = useValue(toasts);
  const [Host, setHost] = useState<ComponentType<{ waiting: readonly ToastMessage[] }>>();
  const wanted = waiting.length;
  useEffect(() => {
    if (wanted === 0 || Host) return;
    // A toast may well say that there is no network: what is missed now, the next one asks for again.
    loadToastHost().then(
      (loaded) => setHost(() => loaded.default),
      () => {},
    );
  }, [wanted, Host]);
  return Host ? <Host waiting={waiting} /> : null;
}
