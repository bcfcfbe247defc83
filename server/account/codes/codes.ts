import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq, gt, inArray, lte, or, sql } from 'drizzle-orm';
import { ADDRESS_KINDS } from '#domain/account/address';
import { DAY_MS, type UnixMs } from '#domain/core/time';
import type { Db, Tx } from '../../db/database';
import { codes } from '../../db/schema';
import { CODE_REFUSED, captchaNeeded, Refusal } from '../../http/refusal';
import { toAddress } from '../addresses';
import type { UserRecord } from '../users';

/** Codes for a withdrawal (`draw`) or a payout method (`bind`) belong to a user, the others to an address. */
export type Purpose = 'register' | 'reset' | 'draw' | 'bind';

/** Seconds (protocol.md#sent-codes). */
export const CODE_LIFE = 600;
export const CODE_INTERVAL = 60;
/** Guesses that one code allows (D37). */
const GUESSES = 5;
/** Codes of one purpose to one address in a day without a captcha (D37). */
const FREE_A_DAY = 10;
const DIGITS = 6;

/**
 * Codes that prove who owns an address: one for each purpose and address, valid once, for ten
 * minutes and five guesses. Codes for unknown addresses are kept too, so that answers do not reveal
 * which addresses are known. A code is valid only for its `subject`.
 */
export class Codes {
  private readonly db: Db;
  private readonly key: Buffer;
  private readonly now: () => UnixMs;

  constructor(db: Db, key: Buffer, now: () => UnixMs) {
    this.db = db;
    this.key = key;
    this.now = now;
  }

  /**
   * Makes a code that replaces the previous one. Throws a Refusal less than a minute after it, and
   * asks for a captcha after too many in a day unless one was solved (`verified`).
   */
  async issue(purpose: Purpose, address: string, verified: boolean, subject = ''): Promise<string> {
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
    const now = new Date(this.now());
    const dayAgo = new Date(this.now() - DAY_MS);
    const newDay = lte(codes.dayBegan, dayAgo);
    const fresh = {
      hash: this.hash(purpose, address, code, subject),
      guessesLeft: GUESSES,
      used: false,
      sentAt: now,
    };
    const [issued] = await this.db
      .insert(codes)
      .values({ purpose, address, ...fresh, dayBegan: now, sentInDay: 1 })
      .onConflictDoUpdate({
        target: [codes.purpose, codes.address],
        set: {
          ...fresh,
          dayBegan: sql`case when ${newDay} then ${sql.param(now, codes.dayBegan)} else ${codes.dayBegan} end`,
          sentInDay: sql`case when ${newDay} then 1 else ${codes.sentInDay} + 1 end`,
        },
        // A condition of the statement itself, so that two simultaneous calls send only one code.
        setWhere: and(
          lte(codes.sentAt, new Date(this.now() - CODE_INTERVAL * 1000)),
          verified ? undefined : or(newDay, sql`${codes.sentInDay} < ${FREE_A_DAY}`),
        ),
      })
      .returning({ address: codes.address });
    if (!issued) throw await this.notYet(purpose, address);
    return code;
  }

  /**
   * Uses up a guess and returns whether the code is right. A right code stays valid until `use`.
   */
  async guess(purpose: Purpose, address: string, code: string, subject = ''): Promise<boolean> {
    const [row] = await this.db
      .update(codes)
      .set({ guessesLeft: sql`${codes.guessesLeft} - 1` })
      .where(and(this.isGood(purpose, address), gt(codes.guessesLeft, 0)))
      .returning({ hash: codes.hash });
    const given = Buffer.from(this.hash(purpose, address, code, subject));
    // Compare even without a row, so that a missing code takes as long as a wrong one.
    const right = timingSafeEqual(
      given,
      Buffer.from(row?.hash ?? this.hash(purpose, '', code, subject)),
    );
    return row !== undefined && right;
  }

  /**
   * Invalidates a code that was guessed right. Throws a Refusal where another call used it first.
   */
  async use(tx: Tx, purpose: Purpose, address: string, code: string, subject = ''): Promise<void> {
    const hash = this.hash(purpose, address, code, subject);
    const [used] = await tx
      .update(codes)
      .set({ used: true })
      .where(and(this.isGood(purpose, address), eq(codes.hash, hash)))
      .returning({ address: codes.address });
    if (!used) throw wrongCode();
  }

  /** Removes codes, and the addresses that they were sent to, after a day. */
  async removeOld(): Promise<void> {
    await this.db.delete(codes).where(lte(codes.sentAt, new Date(this.now() - DAY_MS)));
  }

  private isGood(purpose: Purpose, address: string) {
    return and(
      eq(codes.purpose, purpose),
      eq(codes.address, address),
      eq(codes.used, false),
      gt(codes.sentAt, new Date(this.now() - CODE_LIFE * 1000)),
    );
  }

  private async notYet(purpose: Purpose, address: string): Promise<Refusal> {
    const [row] = await this.db
      .select({ sentAt: codes.sentAt })
      .from(codes)
      .where(and(eq(codes.purpose, purpose), eq(codes.address, address)));
    const wait = (row?.sentAt.getTime() ?? 0) + CODE_INTERVAL * 1000 - this.now();
    return wait > 0
      ? new Refusal(CODE_REFUSED, 'server.codeTooSoon', { seconds: Math.ceil(wait / 1000) })
      : captchaNeeded();
  }

  private hash(purpose: Purpose, address: string, code: string, subject: string): string {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([purpose, address, code, subject]))
      .digest('base64');
  }
}

/** Condition on the codes of a user: of the account, and of its addresses. */
export function codesOf(user: UserRecord) {
  const addresses = ADDRESS_KINDS.map((type) => toAddress(type, user[type]).address);
  return or(
    and(inArray(codes.purpose, ['register', 'reset']), inArray(codes.address, addresses)),
    and(inArray(codes.purpose, ['draw', 'bind']), eq(codes.address, String(user.id))),
  );
}

export function wrongCode(): Refusal {
  return new Refusal(CODE_REFUSED, 'server.codeWrong');
}
