import { and, eq } from 'drizzle-orm';
import type { Page } from '#domain/api/envelope';
import type { WithdrawalRow } from '#domain/api/wallet';
import { toFixed } from '#domain/core/decimal';
import type { Language } from '#domain/core/language';
import type { UnixMs } from '#domain/core/time';
import { CENTS, toUsd, type Usd } from '#domain/core/units';
import { hoursUntilUsable, withdrawProblems } from '#domain/wallet/rules';
import { MONEY_TYPES, type MoneyKind } from '#domain/wallet/wallet';
import { RECEIVED_SCALE, received, withdrawFee } from '#domain/wallet/withdraw';
import { createReviewQueue, type ReviewQueue } from '../admin/reviewQueue';
import { translate } from '../core/translate';
import type { Db } from '../db/database';
import { selectPage } from '../db/page';
import { withdrawals } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { Refusal } from '../http/refusal';
import type { Ledger } from '../ledger/ledger';
import type { WalletCatalogue } from './catalogue';
import { payoutEntry, withdrawalEntry, withdrawalReturnEntry } from './entries';
import type { PayoutMethods } from './payoutMethods';

export interface WithdrawalParts {
  db: Db;
  ledger: Ledger;
  methods: PayoutMethods;
  catalogue: WalletCatalogue;
  /** What may be withdrawn (domain.md#available-balance). */
  available(work: UnitOfWork, userId: number): Promise<Usd>;
  now(): UnixMs;
}

export interface WithdrawalRequest {
  currencyId: number;
  /** Id of the saved payout method; 0 for none. */
  methodId: number;
  amount: Usd | undefined;
  memo: string;
}

type WithdrawalRecord = typeof withdrawals.$inferSelect;

/** Withdrawals: the amount is frozen when submitted, paid out or unfrozen when reviewed (domain.md#withdrawals). */
export class Withdrawals {
  readonly reviews: ReviewQueue;
  private readonly parts: WithdrawalParts;

  constructor(parts: WithdrawalParts) {
    this.parts = parts;
    this.reviews = withdrawalQueue(parts);
  }

  /** Returns what would be paid where. Throws a Refusal where nothing can be. */
  async check(work: UnitOfWork, userId: number, request: WithdrawalRequest) {
    const { methods, catalogue, available, now } = this.parts;
    const { amount } = request;
    const currency = catalogue.withdrawCurrencies.find(({ id }) => id === request.currencyId);
    const saved = await methods.ofUser(work.tx, userId, currency?.kind, currency?.id);
    const method = saved.find(({ id }) => id === request.methodId);
    const [problem] = withdrawProblems(
      { currency, method: method?.id, amount },
      {
        available: await available(work, userId),
        methods: saved.length,
        waitHours: method ? hoursUntilUsable({ usableAt: methods.usableAt(method) }, now()) : 0,
      },
    );
    if (problem) throw Refusal.ofRule(problem.message);
    if (!currency || !method || !amount) {
      throw new Error('the rules let through what is not there');
    }
    return { currency, method, amount };
  }

  async submit(work: UnitOfWork, userId: number, request: WithdrawalRequest) {
    const { ledger, now } = this.parts;
    const { currency, method, amount } = await this.check(work, userId, request);
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
    return { id: row.id, method, amount };
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
    const { rows, total } = await selectPage(db, withdrawals, own, page, withdrawals.createdAt);
    return { data: rows.map((row) => withdrawalRow(row, language)), total };
  }
}

function withdrawalQueue({ db, ledger, now }: WithdrawalParts): ReviewQueue {
  const moneyOf = ({ id, userId, number, fee }: WithdrawalRecord) => ({
    id,
    userId,
    number: toUsd(number),
    fee: toUsd(fee),
  });
  return createReviewQueue(withdrawals, {
    db,
    kind: 'withdrawal',
    pendingStatus: 'reviewing',
    submittedAt: ({ createdAt }) => createdAt,
    title: ({ number, currencyCode }) => `${number} USD in ${currencyCode}`,
    details: (row) => ({
      submitted: row.createdAt.toISOString(),
      reviewed: row.reviewedAt?.toISOString() ?? '',
      notes: row.notes,
      frozen: `${row.number} USD`,
      fee: `${row.fee} USD`,
      pays: `${row.received} ${row.currencyCode}`,
      ...payeeDetails(row),
      remark: row.remark,
      memo: row.memo,
    }),
    // The money has been sent.
    async approve({ work, row, update }) {
      await update({ status: 'finished', reviewedAt: new Date(now()) });
      await ledger.post(work, [payoutEntry(moneyOf(row))]);
    },
    // The money stays with the user.
    async reject({ work, row, update }, notes) {
      await update({ status: 'rejected', notes, reviewedAt: new Date(now()) });
      await ledger.post(work, [withdrawalReturnEntry(moneyOf(row))]);
    },
  });
}

function payeeDetails(row: WithdrawalRecord): Record<string, string> {
  if (row.kind === 'coin') return { network: row.protocol, address: row.address };
  return {
    bank: row.bankName,
    branch: row.branchName,
    'bank address': row.bankAddress,
    swift: row.bankSwift,
    payee: row.payeeName,
    account: row.payeeAccount,
  };
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
    type: MONEY_TYPES[record.kind],
    address: record.address,
    payee_account: record.payeeAccount,
    notes: record.notes || record.memo,
  };
}
