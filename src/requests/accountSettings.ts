import type { AccountSettings } from '#domain/account/settings';
import type { Feature } from '#domain/api/features';
import { type Result, success } from '#domain/core/result';
import { aText, stored } from '../preferences/stored';
import { SERVER_FEATURES } from '../preferences/storedNames';
import { workerApi } from '../worker/workerApi';
import { type Request, useRequest } from './queries';

/** For the first connection of the next visit (src/firstSubscriptions.ts). */
const lastFeatures = stored(SERVER_FEATURES, '', aText);

/** The operator's settings for accounts. */
export function useAccountSettings(): Request<AccountSettings> {
  return useRequest(['account-settings'], fetchSettings, { scope: 'anyone' });
}

async function fetchSettings(): Promise<Result<AccountSettings>> {
  const settings = await workerApi.accountSettings();
  if (settings.ok) lastFeatures.value = settings.data.features.join(' ');
  return settings;
}

/** As `useFeature`, asked only when it is needed, as after a drag. A failure says nothing about the server. */
export async function hasFeature(feature: Feature): Promise<Result<boolean>> {
  const settings = await fetchSettings();
  return settings.ok ? success(settings.data.features.includes(feature)) : settings;
}

/** Whether the server has this part of the protocol; false while that is unknown. */
export function useFeature(feature: Feature): boolean {
  return useAccountSettings().data?.features.includes(feature) ?? false;
}
