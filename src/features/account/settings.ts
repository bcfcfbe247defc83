import type { AccountSettings } from '#domain/account/settings';
import { gateway } from '../../gateway/client';
import { type Request, useRequest } from '../../requests/queries';
import { aText, stored } from '../../session/stored';

/** The operator's settings for accounts. */
export function useAccountSettings(): Request<AccountSettings> {
  return useRequest(['account-settings'], () => gateway.accountSettings(), { scope: 'anyone' });
}

/** ISO code of the country whose calling code was used last. */
export const country = stored<string | undefined>('country', undefined, aText);
