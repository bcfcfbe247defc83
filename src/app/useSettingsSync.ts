import { useEffect } from 'react';
import { hasFeature } from '../requests/accountSettings';
import { useValue } from '../useValue';
import { connectionLive } from '../worker/frameReceiver';
import { user } from '../worker/trading';
import { idle } from './usePreload';

/** Keeps this device's settings and those of the account alike, where the server has them (screens.md#synced-settings). */
export function useSettingsSync(): void {
  const currentUser = useValue(user);
  const live = useValue(connectionLive);
  // A demo account is one device's.
  const id = live && currentUser && !currentUser.demo ? currentUser.id : undefined;
  useEffect(() => {
    if (id === undefined) return;
    let stop: (() => void) | undefined;
    let left = false;
    const start = async () => {
      await idle();
      if (left || !(await hasFeature('settings')) || left) return;
      const { followSettings } = await import('./settingsSync/sync');
      if (!left) stop = followSettings(id);
    };
    // Where its code can't be loaded, the next connection tries again.
    start().catch(() => {});
    return () => {
      left = true;
      stop?.();
    };
  }, [id]);
}
