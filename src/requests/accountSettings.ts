import type { AccountSettings } from '#domain/account/settings';
import type { Feature } from '#domain/api/features';
import { workerApi } from '../worker/workerApi';
import { type Request, useRequest } from './queries';

/** The operator's settings for accounts. */
export function useAccountSettings(): Request<AccountSettings> {
  return useRequest(['account-settings'], () => workerApi.accountSettings(), { scope: 'anyone' });
}

/** As `useFeature`, for what happens after a drag: asked only then. */
export async function hasFeature(feature: Feature): Promise<boolean> {
  const settings = await workerApi.accountSettings();
  return settings.ok && settings.data.features.includes(feature);
}

/** Whether the server has this part of the protocol; false while that is unknown. */
export function useFeature(feature: Feature): boolean {
  return useAccountSettings().data?.features.includes(feature) ?? false;
}
