import { useEffect } from 'react';
import { SYNC_RETRY_MS, settingsSync } from '../preferences/settingsSync';
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
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = async () => {
      await idle();
      if (left) return;
      const has = await hasFeature('settings');
      if (left) return;
      if (!has.ok) return again();
      if (!has.data) return;
      const { followSettings } = await import('./settingsSync/sync');
      if (!left) stop = followSettings(id);
    };
    // Also where the code can't be loaded.
    const start = () => void attempt().catch(again);
    const again = () => {
      if (left) return;
      settingsSync.value = { ...settingsSync.peek(), waiting: true };
      timer = setTimeout(start, SYNC_RETRY_MS);
    };
    start();
    return () => {
      left = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [id]);
}
