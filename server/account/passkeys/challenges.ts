import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { lte } from 'drizzle-orm';
import { timeOf, toDurationMs, type UnixMs } from '#domain/core/time';
import type { Tx } from '../../db/database';
import { usedChallenges } from '../../db/schema';

/** How long a passkey may take, and how long a password counts as given again for a new one. */
export const CHALLENGE_MS = toDurationMs(5 * 60_000);
const NONCE_BYTES = 18;

/** What a challenge is for: a login, or a new passkey of one session. */
export type ChallengeUse = 'login' | { sessionId: number };

/**
 * What authenticators sign: good once, for five minutes, for one use. It is signed instead of stored, so nobody fills the
 * database by asking, and any engine accepts it. Once answered, it is stored until it expires: passkeys of phones often don't count, so
 * their counter alone would let an answer be used twice.
 */
export class Challenges {
  private readonly key: Buffer;
  private readonly now: () => UnixMs;

  constructor(key: Buffer, now: () => UnixMs) {
    this.key = key;
    this.now = now;
  }

  make(use: ChallengeUse): string {
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const expires = Math.floor(this.now()) + CHALLENGE_MS;
    return `${expires}.${nonce}.${this.mac(use, expires, nonce)}`;
  }

  isGood(use: ChallengeUse, challenge: string): boolean {
    const [, expires = '', nonce = '', mac = ''] =
      /^(\d{1,15})\.([\w-]{1,64})\.([\w-]{1,64})$/.exec(challenge) ?? [];
    const right = Buffer.from(this.mac(use, Number(expires), nonce));
    const given = Buffer.from(mac);
    const same = given.length === right.length && timingSafeEqual(given, right);
    return same && Number(expires) > this.now();
  }

  /** Returns whether a good challenge was not answered before. */
  async spend(tx: Tx, challenge: string): Promise<boolean> {
    const now = new Date(this.now());
    await tx.delete(usedChallenges).where(lte(usedChallenges.expiresAt, now));
    const spent = await tx
      .insert(usedChallenges)
      .values({ challenge, expiresAt: new Date(timeOf(now) + CHALLENGE_MS) })
      .onConflictDoNothing()
      .returning({ challenge: usedChallenges.challenge });
    return spent.length > 0;
  }

  private mac(use: ChallengeUse, expires: number, nonce: string): string {
    const parts = JSON.stringify([use, expires, nonce]);
    return createHmac('sha256', this.key).update(parts).digest('base64url');
  }
}
