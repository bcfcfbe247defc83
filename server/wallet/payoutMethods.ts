import { and, count, desc, eq, sql } from 'drizzle-orm';
import type { PayoutMethodRow } from '#domain/api/wallet';
import { timeAfter, timeOf, toDurationMs, type UnixMs } from '#domain/core/time';
import { normalCoinAddress } from '#domain/wallet/coinAddress';
import { payoutProblems } from '#domain/wallet/rules';
import { MONEY_TYPES, type MoneyKind, type Payee } from '#domain/wallet/wallet';
import type { Db } from '../db/database';
import { payoutMethods } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { WalletCatalogue } from './catalogue';
import { hasValidChecksum } from './checksums';

export interface MethodParts {
  catalogue: WalletCatalogue;
  /** Hours that a new payout method waits before money is sent to it. */
  waitHours: number;
  now(): UnixMs;
}

/** A payout method as its user enters it. */
export interface NewMethod {
  kind: MoneyKind;
  currencyId: number;
  payee: Payee;
}

export type MethodRecord = typeof payoutMethods.$inferSelect;

/** Limit for one user, because the list has no pages. */
const MAX_METHODS = 50;
const HOUR_MS = 3_600_000;

/** Saved payout methods of users (protocol.md#payout-method). */
export class PayoutMethods {
  private readonly parts: MethodParts;

  constructor(parts: MethodParts) {
    this.parts = parts;
  }

  /** Newest first; both filters are optional. */
  ofUser(db: Db, userId: number, kind?: MoneyKind, currencyId?: number): Promise<MethodRecord[]> {
    return db
      .select()
      .from(payoutMethods)
      .where(
        and(
          eq(payoutMethods.userId, userId),
          kind && eq(payoutMethods.kind, kind),
          currencyId ? eq(payoutMethods.currencyId, currencyId) : undefined,
        ),
      )
      .orderBy(desc(payoutMethods.createdAt), desc(payoutMethods.id));
  }

  /** As `ofUser`, as the user sees them. */
  async list(...filters: Parameters<PayoutMethods['ofUser']>): Promise<PayoutMethodRow[]> {
    return (await this.ofUser(...filters)).map((record) => this.row(record));
  }

  /** Returns the method as it would be saved. Throws a Refusal where it can't be. */
  async check(db: Db, userId: number, { kind, currencyId, payee: given }: NewMethod) {
    const currency = this.parts.catalogue.withdrawCurrencies.find(
      (offered) => offered.id === currencyId && offered.kind === kind,
    );
    const [problem] = payoutProblems({ ...given, kind, protocol: currency?.protocol });
    if (problem) throw Refusal.ofRule(problem.message);
    const payee = ofKind(kind, given);
    if (!hasValidChecksum(payee.address)) throw Refusal.ofRule({ key: 'addressChecksum' });
    await this.refuseKnown(db, userId, currencyId, payee);
    return { kind, currencyId, payee };
  }

  async add({ tx }: UnitOfWork, userId: number, given: NewMethod) {
    const { kind, currencyId, payee } = await this.check(tx, userId, given);
    const [row] = await tx
      .insert(payoutMethods)
      .values({ userId, kind, currencyId, ...payee, createdAt: new Date(this.parts.now()) })
      .returning({ id: payoutMethods.id });
    if (!row) throw new Error('a payout method was not inserted');
    return { id: row.id, payee };
  }

  /** Withdrawals under review keep their destination. */
  async remove({ tx }: UnitOfWork, userId: number, id: number): Promise<void> {
    const own = and(eq(payoutMethods.id, id), eq(payoutMethods.userId, userId));
    const deleted = await tx.delete(payoutMethods).where(own).returning({ id: payoutMethods.id });
    if (deleted.length === 0) throw new Refusal(CODE_REFUSED, 'server.methodUnknown');
  }

  /** The kind of a currency; undefined where it is unknown. */
  kindOf(currencyId: number): MoneyKind | undefined {
    return this.parts.catalogue.withdrawCurrencies.find(({ id }) => id === currencyId)?.kind;
  }

  /** From when on money is sent to it; undefined: at any time. */
  usableAt({ createdAt }: MethodRecord): UnixMs | undefined {
    const { waitHours, now } = this.parts;
    const usable = timeAfter(timeOf(createdAt), toDurationMs(waitHours * HOUR_MS));
    return usable > now() ? usable : undefined;
  }

  private async refuseKnown(db: Db, userId: number, currencyId: number, payee: Payee) {
    const own = eq(payoutMethods.userId, userId);
    // In hexadecimal the case is at most a checksum.
    const sameAddress = payee.address.startsWith('0x')
      ? eq(sql`lower(${payoutMethods.address})`, payee.address.toLowerCase())
      : eq(payoutMethods.address, payee.address);
    const same = and(
      own,
      eq(payoutMethods.currencyId, currencyId),
      sameAddress,
      eq(payoutMethods.bankName, payee.bankName),
      eq(payoutMethods.payeeAccount, payee.payeeAccount),
    );
    const [known] = await db.select({ count: count() }).from(payoutMethods).where(same);
    if (known?.count) throw new Refusal(CODE_REFUSED, 'server.methodKnown');
    const [all] = await db.select({ count: count() }).from(payoutMethods).where(own);
    if (all && all.count >= MAX_METHODS) {
      throw new Refusal(CODE_REFUSED, 'server.methodsExhausted', { max: MAX_METHODS });
    }
  }

  private row(record: MethodRecord): PayoutMethodRow {
    const { withdrawCurrencies } = this.parts.catalogue;
    const currency = withdrawCurrencies.find(({ id }) => id === record.currencyId);
    const usableAt = this.usableAt(record);
    return {
      id: record.id,
      draw_type: MONEY_TYPES[record.kind],
      dc_address: record.address,
      bank_name: record.bankName,
      bank_address: record.bankAddress,
      bank_swift: record.bankSwift,
      branch_name: record.branchName,
      payee_name: record.payeeName,
      payee_account: record.payeeAccount,
      remark: record.remark,
      draw_currency: {
        id: record.currencyId,
        code: currency?.code ?? '',
        protocol: currency?.protocol ?? '',
      },
      usable_at: usableAt === undefined ? '' : new Date(usableAt).toISOString(),
    };
  }
}

/** Where money goes to, in one line, as a letter names it. */
export function payeeText({ kind, ...payee }: Payee & { kind: MoneyKind }): string {
  return kind === 'coin'
    ? payee.address
    : `${payee.payeeName}, ${payee.bankName}, ${payee.payeeAccount}`;
}

/** Trims the texts and clears those of the other kind. */
function ofKind(kind: MoneyKind, given: Payee): Payee {
  const coin = kind === 'coin';
  const bank = (text: string) => (coin ? '' : text.trim());
  return {
    address: coin ? normalCoinAddress(given.address) : '',
    bankName: bank(given.bankName),
    bankAddress: bank(given.bankAddress),
    bankSwift: bank(given.bankSwift),
    branchName: bank(given.branchName),
    payeeName: bank(given.payeeName),
    payeeAccount: bank(given.payeeAccount),
    remark: given.remark.trim(),
  };
}
