import { createHmac } from 'node:crypto';
import bowser from 'bowser';
import type { Language } from '#domain/core/language';
import type { UnixMs } from '#domain/core/time';
import { knownDevices } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { networkOf } from '../http/network';

/** Where a login comes from. */
export interface LoginOrigin {
  ip: string;
  language: Language;
  /** The header `User-Agent`. */
  userAgent: string;
}

/** Browser and system, as "Chrome, Android"; empty where the header names none. */
export function deviceName(userAgent: string): string {
  if (userAgent === '') return '';
  const { browser, os } = bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(', ');
}

/** Devices and networks that users have logged in from: a thief with the same browser uses another network. */
export class KnownDevices {
  private readonly key: Buffer;
  private readonly now: () => UnixMs;

  constructor(key: Buffer, now: () => UnixMs) {
    this.key = key;
    this.now = now;
  }

  /** Remembers the origin of a login, and returns whether it is new. */
  async isNew(
    { tx }: UnitOfWork,
    userId: number,
    { ip, userAgent }: LoginOrigin,
  ): Promise<boolean> {
    const seen = [userId, deviceName(userAgent), networkOf(ip) ?? ''];
    const fingerprint = createHmac('sha256', this.key)
      .update(JSON.stringify(seen))
      .digest('base64url');
    const added = await tx
      .insert(knownDevices)
      .values({ userId, fingerprint, firstUsedAt: new Date(this.now()) })
      .onConflictDoNothing()
      .returning({ userId: knownDevices.userId });
    return added.length > 0;
  }
}
