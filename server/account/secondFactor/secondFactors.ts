import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq, lt, max } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { readCode } from '#domain/core/inputText';
import type { UnixMs } from '#domain/core/time';
import { decrypt, encrypt } from '../../core/encryption';
import type { Db } from '../../db/database';
import { recoveryCodes, secondFactors, sessions, users } from '../../db/schema';
import type { UnitOfWork } from '../../db/transactions';
import { CODE_REFUSED, Refusal } from '../../http/refusal';
import type { AttemptLimits, SecondFactorAttempt } from '../limits/attemptLimits';
import type { UserRecord } from '../users';

/** RFC 6238, with the values that authenticator apps assume. */
const PERIOD_SECONDS = 30;
/** Steps that a device's clock may be off. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** Without characters that look alike: 50 bits a code. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const RECOVERY_LENGTH = 10;
/** How long a login may wait for its second factor. */
const TICKET_MS = 5 * 60_000;

export interface SecondFactorOptions {
  key: Buffer;
  /** Shown in the authenticator app. */
  issuer: string;
  limits: AttemptLimits;
  now(): UnixMs;
}

/** Codes of authenticator apps, and the recovery codes that replace them (domain.md#second-factor, D81). */
export class SecondFactors {
  private readonly options: SecondFactorOptions;

  constructor(options: SecondFactorOptions) {
    this.options = options;
  }

  /** Makes a secret. It is needed for logins once it is confirmed. */
  async enrol({ tx }: UnitOfWork, user: UserRecord): Promise<{ secret: string; uri: string }> {
    if (user.secondFactor) throw new Refusal(CODE_REFUSED, 'server.otpOn');
    const totp = this.totp(new Secret({ size: SECRET_BYTES }), user.email || user.mobile);
    const encrypted = encrypt(this.options.key, totp.secret.base32, String(user.id));
    await tx
      .insert(secondFactors)
      .values({ userId: user.id, secret: encrypted })
      .onConflictDoUpdate({
        target: secondFactors.userId,
        set: { secret: encrypted, lastStep: 0 },
      });
    return { secret: totp.secret.base32, uri: totp.toString() };
  }

  /** Puts the secret into use, proven by a code of it. Returns the recovery codes, which are stored nowhere. */
  async confirm(
    work: UnitOfWork,
    user: UserRecord,
    code: string,
    attempt: SecondFactorAttempt,
  ): Promise<string[]> {
    if (user.secondFactor) throw new Refusal(CODE_REFUSED, 'server.otpOn');
    await this.spend(work.tx, user.id, code, attempt);
    await work.tx.update(users).set({ secondFactor: true }).where(eq(users.id, user.id));
    const [newest] = await work.tx
      .select({ id: max(sessions.id) })
      .from(sessions)
      .where(eq(sessions.userId, user.id));
    await work.tx
      .update(secondFactors)
      .set({ lastSession: newest?.id ?? 0 })
      .where(eq(secondFactors.userId, user.id));
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    const rows = codes.map((each) => ({ userId: user.id, hash: this.hash(user.id, each) }));
    await work.tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, user.id));
    await work.tx.insert(recoveryCodes).values(rows);
    return codes;
  }

  async remove(
    work: UnitOfWork,
    user: UserRecord,
    code: string,
    attempt: SecondFactorAttempt,
  ): Promise<void> {
    if (!user.secondFactor) throw new Refusal(CODE_REFUSED, 'server.otpOff');
    await this.spend(work.tx, user.id, code, attempt);
    await this.forget(work, user.id);
  }

  /** Removes secret and recovery codes. */
  async forget({ tx }: UnitOfWork, userId: number): Promise<void> {
    await tx.delete(secondFactors).where(eq(secondFactors.userId, userId));
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
    await tx.update(users).set({ secondFactor: false }).where(eq(users.id, userId));
  }

  /** Whether the factor was in use before this session, whose login has proven it then. */
  async isOlder(tx: Db, userId: number, sessionId: number): Promise<boolean> {
    const own = eq(secondFactors.userId, userId);
    return (await tx.$count(secondFactors, and(own, lt(secondFactors.lastSession, sessionId)))) > 0;
  }

  /** Uses up a code of the app, or a recovery code. Throws a Refusal of a wrong one. */
  spend(tx: Db, userId: number, given: string, attempt: SecondFactorAttempt): Promise<void> {
    return this.options.limits.limitSecondFactor(userId, attempt, async () => {
      const code = readCode(given).replaceAll('-', '').toUpperCase();
      const right = /^\d{6}$/.test(code)
        ? await this.spendCode(tx, userId, code)
        : await this.spendRecoveryCode(tx, userId, code);
      if (!right) throw new Refusal(CODE_REFUSED, 'server.otpWrong');
    });
  }

  /** Returns a proof, valid for a few minutes, that the password of an account was right. */
  ticket(account: string): string {
    const expires = Math.floor(this.options.now()) + TICKET_MS;
    return `${expires}.${this.mac(['ticket', account, expires])}`;
  }

  isTicket(ticket: string, account: string): boolean {
    const [, expires = '', mac = ''] = /^(\d{1,15})\.(.+)$/.exec(ticket) ?? [];
    const right = Buffer.from(this.mac(['ticket', account, Number(expires)]));
    const given = Buffer.from(mac);
    const same = given.length === right.length && timingSafeEqual(given, right);
    return same && Number(expires) > this.options.now();
  }

  private async spendCode(tx: Db, userId: number, code: string): Promise<boolean> {
    const [row] = await tx.select().from(secondFactors).where(eq(secondFactors.userId, userId));
    if (!row) return false;
    const secret = Secret.fromBase32(decrypt(this.options.key, row.secret, String(userId)));
    const now = this.options.now();
    const delta = this.totp(secret, '').validate({ token: code, timestamp: now, window: WINDOW });
    if (delta === null) return false;
    const step = Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
    // A condition of the statement itself, so that of two simultaneous logins one is refused.
    const used = await tx
      .update(secondFactors)
      .set({ lastStep: step })
      .where(and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step)))
      .returning({ userId: secondFactors.userId });
    return used.length > 0;
  }

  private async spendRecoveryCode(tx: Db, userId: number, code: string): Promise<boolean> {
    const own = and(
      eq(recoveryCodes.userId, userId),
      eq(recoveryCodes.hash, this.hash(userId, code)),
    );
    const used = await tx.delete(recoveryCodes).where(own).returning({ hash: recoveryCodes.hash });
    return used.length > 0;
  }

  private totp(secret: Secret, label: string): TOTP {
    return new TOTP({
      issuer: this.options.issuer,
      label,
      algorithm: 'SHA1',
      digits: 6,
      period: PERIOD_SECONDS,
      secret,
    });
  }

  private hash(userId: number, code: string): string {
    return this.mac(['recovery', userId, code.replace('-', '')]);
  }

  private mac(parts: readonly (string | number)[]): string {
    return createHmac('sha256', this.options.key).update(JSON.stringify(parts)).digest('base64url');
  }
}

function newRecoveryCode(): string {
  const letters = Array.from(
    { length: RECOVERY_LENGTH },
    () => ALPHABET[randomInt(ALPHABET.length)],
  ).join('');
  return `${letters.slice(0, RECOVERY_LENGTH / 2)}-${letters.slice(RECOVERY_LENGTH / 2)}`;
}
