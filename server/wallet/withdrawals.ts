import { and, asc, count, desc, eq } from 'drizzle-orm';
import { PAGE_SIZE, type Page } from '#domain/api/envelope';
import { KIND_BANK, KIND_COIN, type WithdrawalRow } from '#domain/api/wallet';
import { toFixed } from '#domain/core/decimal';
import type { Language } from '#domain/core/language';
import { CENTS, toUsd, type UnixMs, type Usd } from '#domain/core/units';
import { withdrawProblem } from '#domain/wallet/rules';
import type { MoneyKind } from '#domain/wallet/wallet';
import { RECEIVED_SCALE, received, withdrawFee } from '#domain/wallet/withdraw';
import { translate } from '../core/translate';
import type { Db } from '../db/open';
import { users, withdrawals } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import type { Review, ReviewQueue } from '../desk/reviewQueue';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { Ledger } from '../ledger/ledger';
import type { WalletCatalogue } from './catalogue';
import { payoutEntry, withdrawalEntry, withdrawalReturnEntry } from './entries';
import type { PayoutMethods } from './payoutMethods';

export interface WithdrawalParts {
  db: Db;
  ledger: Ledger;
  methods: PayoutMethods;
  catalogue: WalletCatalogue;
  /** What may be taken (protocol.md, Margin in use). */
  freeBalance(work: UnitOfWork, userId: number): Promise<Usd>;
  now(): UnixMs;
}

export interface WithdrawalRequest {
  currencyId: number;
  /** Of the saved method; 0 where none is chosen. */
  methodId: number;
  amount: Usd | undefined;
  memo: string;
}

export type WithdrawalRecord = typeof withdrawals.$inferSelect;

/** §3 Withdraw record: frozen when it is submitted, gone or given back when it is reviewed (protocol.md, Withdrawals). */
export class Withdrawals implements ReviewQueue {
  readonly kind = 'withdrawal';
  private readonly parts: WithdrawalParts;

  constructor(parts: WithdrawalParts) {
    this.parts = parts;
  }

  async submit(work: UnitOfWork, userId: number, request: WithdrawalRequest): Promise<number> {
    const { ledger, methods, catalogue, freeBalance, now } = this.parts;
    const { amount } = request;
    const currency = catalogue.withdrawCurrencies.find(({ id }) => id === request.currencyId);
    const saved = await methods.list(work.tx, userId, currency?.kind, currency?.id);
    const chosen = saved.some(({ id }) => id === request.methodId);
    const problem = withdrawProblem(
      { currency, method: chosen ? request.methodId : undefined, amount },
      { freeBalance: await freeBalance(work, userId), methods: saved.length },
    );
    if (problem) throw Refusal.ofRule(problem.message);
    const method = await methods.find(work, userId, request.methodId);
    if (!currency || !method || !amount) {
      throw new Error('the rules let through what is not there');
    }
    const { id: _, userId: __, kind, currencyId, createdAt: ___, ...payee } = method;
    const fee = withdrawFee(currency, amount);
    const [row] = await work.tx
      .insert(withdrawals)
      .values({
        userId,
        kind,
        currencyId,
        currencyCode: currency.code,
        protocol: currency.protocol,
        number: toFixed(amount, CENTS),
        fee: toFixed(fee, CENTS),
        received: toFixed(received(currency, amount), RECEIVED_SCALE),
        ...payee,
        memo: request.memo,
        createdAt: new Date(now()),
      })
      .returning({ id: withdrawals.id });
    if (!row) throw new Error('a withdrawal was not inserted');
    await ledger.post(work, [withdrawalEntry({ id: row.id, userId, number: amount, fee })]);
    return row.id;
  }

  /** Newest first. */
  async page(
    userId: number,
    kind: MoneyKind,
    page: number,
    language: Language,
  ): Promise<Page<WithdrawalRow>> {
    const { db } = this.parts;
    const own = and(eq(withdrawals.userId, userId), eq(withdrawals.kind, kind));
    const rows = await db
      .select()
      .from(withdrawals)
      .where(own)
      .orderBy(desc(withdrawals.id))
      .limit(PAGE_SIZE)
      .offset((page - 1) * PAGE_SIZE);
    const [all] = await db.select({ total: count() }).from(withdrawals).where(own);
    return { data: rows.map((row) => withdrawalRow(row, language)), total: all?.total ?? 0 };
  }

  async pending(): Promise<Review[]> {
    const rows = await this.parts.db
      .select({ withdrawal: withdrawals, uid: users.uid })
      .from(withdrawals)
      .innerJoin(users, eq(users.id, withdrawals.userId))
      .where(eq(withdrawals.status, 'reviewing'))
      .orderBy(asc(withdrawals.id));
    return rows.map(({ withdrawal: { id, createdAt, number, currencyCode }, uid }) => ({
      id,
      since: createdAt.getTime(),
      title: `user ${uid}: ${number} USD in ${currencyCode}`,
    }));
  }

  async show(id: number): Promise<Record<string, string> | undefined> {
    const [row] = await this.parts.db
      .select({ withdrawal: withdrawals, uid: users.uid })
      .from(withdrawals)
      .innerJoin(users, eq(users.id, withdrawals.userId))
      .where(eq(withdrawals.id, id));
    if (!row) return undefined;
    const { withdrawal, uid } = row;
    const { kind, address, bankName, bankAddress, bankSwift, branchName } = withdrawal;
    const to: Record<string, string> =
      kind === 'coin'
        ? { network: withdrawal.protocol, address }
        : {
            bank: bankName,
            branch: branchName,
            'bank address': bankAddress,
            swift: bankSwift,
            payee: withdrawal.payeeName,
            account: withdrawal.payeeAccount,
          };
    return {
      user: uid,
      status: withdrawal.status,
      submitted: withdrawal.createdAt.toISOString(),
      reviewed: withdrawal.reviewedAt?.toISOString() ?? '',
      notes: withdrawal.notes,
      frozen: `${withdrawal.number} USD`,
      fee: `${withdrawal.fee} USD`,
      pays: `${withdrawal.received} ${withdrawal.currencyCode}`,
      ...to,
      remark: withdrawal.remark,
      memo: withdrawal.memo,
    };
  }

  /** The money is sent. Throws a Refusal where the withdrawal is not waiting. */
  async approve(work: UnitOfWork, id: number): Promise<void> {
    const withdrawal = await this.settle(work, id, { status: 'finished' });
    await this.parts.ledger.post(work, [payoutEntry(withdrawal)]);
  }

  /** The money stays with the user. `notes` is for them to read. */
  async reject(work: UnitOfWork, id: number, notes: string): Promise<void> {
    const withdrawal = await this.settle(work, id, { status: 'rejected', notes });
    await this.parts.ledger.post(work, [withdrawalReturnEntry(withdrawal)]);
  }

  private async settle({ tx }: UnitOfWork, id: number, values: Partial<WithdrawalRecord>) {
    const [settled] = await tx
      .update(withdrawals)
      .set({ ...values, reviewedAt: new Date(this.parts.now()) })
      .where(and(eq(withdrawals.id, id), eq(withdrawals.status, 'reviewing')))
      .returning();
    if (!settled) throw new Refusal(CODE_REFUSED, 'server.notWaiting');
    const { userId, number, fee } = settled;
    return { id, userId, number: toUsd(number), fee: toUsd(fee) };
  }
}

function withdrawalRow(record: WithdrawalRecord, language: Language): WithdrawalRow {
  return {
    id: record.id,
    number: record.number,
    real_number: record.received,
    draw_currency: {
      id: record.currencyId,
      code: record.currencyCode,
      protocol: record.protocol,
    },
    fee: record.fee,
    status_name: translate(language, `server.withdrawal.${record.status}`),
    created_at: record.createdAt.toISOString(),
    type: record.kind === 'coin' ? KIND_COIN : KIND_BANK,
    address: record.address,
    payee_account: record.payeeAccount,
    notes: record.notes || record.memo,
  };
}
