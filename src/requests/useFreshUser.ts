import type { User } from '#domain/account/user';
import { useValue } from '../useValue';
import { user } from '../worker/trading';
import { workerApi } from '../worker/workerApi';
import { useRequest } from './queries';

/** The current user for a screen that goes by what another tab or device may have changed: asked for again as it opens. */
export function useFreshUser(open = true): User | null | undefined {
  useRequest(['user'], () => workerApi.refreshUser(), { enabled: open });
  return useValue(user);
}
