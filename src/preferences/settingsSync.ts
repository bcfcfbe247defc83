import { signal } from '@preact/signals-core';
import type { SettingsOffer } from '#domain/account/settingsSync';
import { aBoolean, stored } from './stored';

/** Whether this device has the settings of the account, and not its own (screens.md#synced-settings). */
export const followsAccount = stored('follow-account', true, aBoolean);

export type { SettingsOffer };

/** Another attempt after a failure that no new connection follows, ms. */
export const SYNC_RETRY_MS = 30_000;

/** Of the settings that follow the account. */
export const settingsSync = signal<{
  /** Something could not be sent. */
  waiting: boolean;
  /** Why the server has refused; empty where it has not. */
  problem: string;
  offers: readonly SettingsOffer[];
}>({ waiting: false, problem: '', offers: [] });

/** Takes an offered value, or dismisses it; set while settings are followed. */
export const answerOffer: { call: (offer: SettingsOffer, take: boolean) => void } = {
  call: () => {},
};
