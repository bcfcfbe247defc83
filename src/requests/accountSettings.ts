import type { AccountSettings } from '#domain/account/settings';
import { gateway } from '../gateway/client';
import { type Request, useRequest } from './queries';

/** The operator's settings for accounts. */
export function useAccountSettings(): Request<AccountSettings> {
  return useRequest(['account-settings'], () => gateway.accountSettings(), { scope: 'anyone' });
}
