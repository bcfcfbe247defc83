import { generateVAPIDKeys } from 'web-push';
import { decrypt, encrypt } from '../core/encryption';
import type { Db } from '../db/database';
import { pushKeys, pushSubscriptions } from '../db/schema';

/** The key pair that signs messages to push services, in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const OWNER = 'vapid';

/**
 * The server's key pair, which the first start makes. Browsers subscribe for one pair: where the kept one can't be decrypted
 * any more, because the server's secret is another one, a new pair begins without subscriptions.
 */
export async function loadVapidKeys(db: Db, key: Buffer): Promise<VapidKeys> {
  const [kept] = await db.select().from(pushKeys);
  const known = kept && opened(kept, key);
  if (known) return known;
  const { publicKey, privateKey } = generateVAPIDKeys();
  await db.transaction(async (tx) => {
    await tx.delete(pushSubscriptions);
    await tx.delete(pushKeys);
    await tx
      .insert(pushKeys)
      .values({ id: 1, publicKey, privateKey: encrypt(key, privateKey, OWNER) });
  });
  return { publicKey, privateKey };
}

function opened(kept: VapidKeys, key: Buffer): VapidKeys | undefined {
  try {
    return { ...kept, privateKey: decrypt(key, kept.privateKey, OWNER) };
  } catch {
    return undefined;
  }
}
