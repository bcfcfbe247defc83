import { type ComponentType, useEffect, useState } from 'react';
import { useValue } from '../useValue';
import type { ToastHostProps } from './ToastHost';
import { toasts } from './toastStore';

export const loadToastHost = () => import('./ToastHost');

/** Shows the toasts. Its code is loaded with the first one at the latest. */
export function Toasts({ user }: Pick<ToastHostProps, 'user'>) {
  const waiting = useValue(toasts);
  const [Host, setHost] = useState<ComponentType<ToastHostProps>>();
  const count = waiting.length;
  useEffect(() => {
    if (count === 0 || Host) return;
    // The toast may be about a lost connection. If loading fails, the next toast tries again.
    loadToastHost().then(
      (loaded) => setHost(() => loaded.default),
      () => {},
    );
  }, [count, Host]);
  return Host ? <Host waiting={waiting} user={user} /> : null;
}
