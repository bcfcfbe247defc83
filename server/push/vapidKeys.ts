import { generateVAPIDKeys } from 'web-push';
import { decrypt, encrypt } from '../core/encryption';
import type { Log } from '../core/log';
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
 * any more, because the server's secret is another one, a new pair begins without subscriptions, and the operator is
 * warned of all that the secret means.
 */
export async function loadVapidKeys(db: Db, key: Buffer, log: Log): Promise<VapidKeys> {
  const [kept] = await db.select().from(pushKeys);
  const known = kept && opened(kept, key);
  if (known) return known;
  if (kept) {
    log.warn(
      "WARNING: this database was last served with another secret (FULCRUM_SECRET, or the data directory's file secret). " +
        'Second factors, their recovery codes and the former invitation code no longer work. ' +
        'If that is a mistake, stop, and start with the former secret.',
    );
  }
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
