import { and, asc, count, desc, eq } from 'drizzle-orm';
import { PAGE_SIZE, type Page } from '#domain/api/envelope';
import { CHARGE_BANK, CHARGE_COIN, type ChargeRow } from '#domain/api/wallet';
import { toDecimal, toText } from '#domain/core/decimal';
import {
  type CurrencyAmount,
  toCurrencyAmount,
  toUsdRate,
  type UnixMs,
  type UsdRate,
} from '#domain/core/units';
import { credit } from '#domain/wallet/deposit';
import { depositProblem } from '#domain/wallet/rules';
import { DEPOSIT_STATUSES, type MoneyKind } from '#domain/wallet/wallet';
import type { Db } from '../db/open';
import { deposits, users } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import type { Review, ReviewQueue } from '../desk/reviewQueue';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { Ledger } from '../ledger/ledger';
import type { Pictures } from '../uploads/pictures';
import type { WalletCatalogue } from './catalogue';
import { depositEntry } from './entries';

export interface DepositParts {
  db: Db;
  ledger: Ledger;
  pictures: Pick<Pictures, 'claim' | 'sign'>;
  catalogue: WalletCatalogue;
  now(): UnixMs;
}

/** A deposit as its user declares it. */
export interface Declaration {
  kind: MoneyKind;
  /** The network, or the bank account; 0 where none is chosen. */
  channelId: number;
  number: CurrencyAmount | undefined;
  /** Address of the uploaded proof; empty where there is none. */
  proof: string;
  /** Where the coins were sent to. */
  address: string;
}

export type DepositRecord = typeof deposits.$inferSelect;

/** §3 Charge record: declared by the user, credited once the desk has seen the money (§4, D46). */
export class Deposits implements ReviewQueue {
  readonly kind = 'deposit';
  private readonly parts: DepositParts;

  constructor(parts: DepositParts) {
    this.parts = parts;
  }

  async submit(work: UnitOfWork, userId: number, declared: Declaration): Promise<number> {
    const { kind, channelId, number, proof, address } = declared;
    const channel = this.channel(kind, channelId);
    const problem = depositProblem({ kind, channel, number, proofs: proof ? [proof] : [] });
    if (problem) throw Refusal.ofRule(problem.message);
    if (!channel || !number) throw new Error('the rules let through what is not there');
    const picture = await this.parts.pictures.claim(work.tx, userId, proof, 'deposit');
    const [row] = await work.tx
      .insert(deposits)
      .values({
        userId,
        kind,
        channelId,
        address,
        currencyCode: channel.currency,
        number: toText(number),
        usdPrice: toText(channel.usdPrice),
        proof: picture,
        createdAt: new Date(this.parts.now()),
      })
      .returning({ id: deposits.id });
    if (!row) throw new Error('a deposit was not inserted');
    return row.id;
  }

  /** Newest first. */
  async page(userId: number, kind: MoneyKind, page: number): Promise<Page<ChargeRow>> {
    const { db } = this.parts;
    const own = and(eq(deposits.userId, userId), eq(deposits.kind, kind));
    const rows = await db
      .select()
      .from(deposits)
      .where(own)
      .orderBy(desc(deposits.id))
      .limit(PAGE_SIZE)
      .offset((page - 1) * PAGE_SIZE);
    const [all] = await db.select({ total: count() }).from(deposits).where(own);
    return { data: rows.map(depositRow), total: all?.total ?? 0 };
  }

  async pending(): Promise<Review[]> {
    const rows = await this.parts.db
      .select({ deposit: deposits, uid: users.uid })
      .from(deposits)
      .innerJoin(users, eq(users.id, deposits.userId))
      .where(eq(deposits.status, 'unchecked'))
      .orderBy(asc(deposits.id));
    return rows.map(({ deposit: { id, createdAt, number, currencyCode }, uid }) => ({
      id,
      since: createdAt.getTime(),
      title: `user ${uid}: ${toText(toDecimal(number))} ${currencyCode}`,
    }));
  }

  async show(id: number, origin: string): Promise<Record<string, string> | undefined> {
    const { db, pictures } = this.parts;
    const [row] = await db
      .select({ deposit: deposits, uid: users.uid })
      .from(deposits)
      .innerJoin(users, eq(users.id, deposits.userId))
      .where(eq(deposits.id, id));
    if (!row) return undefined;
    const { deposit, uid } = row;
    const number = toCurrencyAmount(deposit.number);
    return {
      user: uid,
      status: deposit.status,
      submitted: deposit.createdAt.toISOString(),
      reviewed: deposit.reviewedAt?.toISOString() ?? '',
      remark: deposit.remark,
      by: `${deposit.kind} ${deposit.channelId}`,
      address: deposit.address,
      number: `${toText(number)} ${deposit.currencyCode}`,
      credits: `${toText(credit(number, toUsdRate(deposit.usdPrice)))} USD`,
      proof: pictures.sign(deposit.proof, origin),
    };
  }

  /** The money has come: it is credited. Throws a Refusal where the deposit is not waiting. */
  async approve(work: UnitOfWork, id: number): Promise<void> {
    const deposit = await this.lock(work, id);
    const amount = credit(toCurrencyAmount(deposit.number), toUsdRate(deposit.usdPrice));
    await this.settle(work, id, { status: 'finished', credited: toText(amount) });
    await this.parts.ledger.post(work, [depositEntry(deposit.userId, id, amount)]);
  }

  /** The money has not come (rejected), or never could have (invalid). `remark` is for the user to read. */
  async reject(
    work: UnitOfWork,
    id: number,
    remark: string,
    status: 'rejected' | 'invalid' = 'rejected',
  ): Promise<void> {
    await this.lock(work, id);
    await this.settle(work, id, { status, remark });
  }

  private async lock({ tx }: UnitOfWork, id: number): Promise<DepositRecord> {
    const [deposit] = await tx.select().from(deposits).where(eq(deposits.id, id)).for('update');
    if (deposit?.status !== 'unchecked') throw new Refusal(CODE_REFUSED, 'server.notWaiting');
    return deposit;
  }

  private async settle(
    { tx }: UnitOfWork,
    id: number,
    values: Partial<DepositRecord>,
  ): Promise<void> {
    await tx
      .update(deposits)
      .set({ ...values, reviewedAt: new Date(this.parts.now()) })
      .where(eq(deposits.id, id));
  }

  private channel(
    kind: MoneyKind,
    id: number,
  ): { currency: string; usdPrice: UsdRate } | undefined {
    const { networks, bankAccounts, bankCurrencies } = this.parts.catalogue;
    if (kind === 'coin') return networks.find((network) => network.id === id);
    const account = bankAccounts.find((candidate) => candidate.id === id);
    const currency = bankCurrencies.find((candidate) => candidate.id === account?.currencyId);
    return currency && { currency: currency.name, usdPrice: currency.usdPrice };
  }
}

function depositRow(record: DepositRecord): ChargeRow {
  return {
    id: record.id,
    number: toText(toDecimal(record.number)),
    type: record.kind === 'coin' ? CHARGE_COIN : CHARGE_BANK,
    currency_code: record.currencyCode,
    status: DEPOSIT_STATUSES.indexOf(record.status),
    created_at: record.createdAt.toISOString(),
    remark: record.remark,
  };
}
