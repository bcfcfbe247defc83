import { and, eq, inArray, ne, or } from 'drizzle-orm';
import type { Page } from '#domain/api/envelope';
import type { DepositRow } from '#domain/api/wallet';
import { toDecimal, toText } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import { type CurrencyAmount, toCurrencyAmount, toUsdRate, type UsdRate } from '#domain/core/units';
import { credit } from '#domain/wallet/deposit';
import { depositProblems } from '#domain/wallet/rules';
import { DEPOSIT_STATUSES, DEPOSIT_TYPES, type MoneyKind } from '#domain/wallet/wallet';
import { createReviewQueue, type ReviewQueue, type TableQueue } from '../admin/reviewQueue';
import type { Db, Tx } from '../db/database';
import { selectPage } from '../db/page';
import { deposits, pictures } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { Ledger } from '../ledger/ledger';
import type { KeptPicture, Pictures } from '../uploads/pictures';
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
  /** Id of the network or of the bank account; 0 for none. */
  channelId: number;
  number: CurrencyAmount | undefined;
  /** Address of the uploaded proof; empty for none. */
  proof: string;
  /** The address that the coins were sent to. */
  address: string;
}

/** Where a deposit goes, with the address of a network. */
interface Channel {
  currency: string;
  usdPrice: UsdRate;
  address?: string;
}

export type DepositRecord = typeof deposits.$inferSelect;

/** Deposits: declared by the user, credited once the operator has seen the money (domain.md#deposits). */
export class Deposits {
  readonly reviews: ReviewQueue;
  private readonly queue: TableQueue<DepositRecord>;
  private readonly parts: DepositParts;

  constructor(parts: DepositParts) {
    this.parts = parts;
    this.queue = depositQueue(parts);
    this.reviews = this.queue;
  }

  async submit(work: UnitOfWork, userId: number, declared: Declaration): Promise<number> {
    const { kind, channelId, number, proof, address } = declared;
    const channel = this.channel(kind, channelId);
    const [problem] = depositProblems({ kind, channel, number, proofs: proof ? [proof] : [] });
    if (problem) throw Refusal.ofRule(problem.message);
    if (!channel || !number) throw new Error('the rules let through what is not there');
    if (channel.address !== undefined && address.trim() !== channel.address) {
      throw new Refusal(CODE_REFUSED, 'server.depositAddressUnknown');
    }
    const picture = await this.parts.pictures.claim(work.tx, userId, proof, 'deposit');
    await refuseUsedProof(work.tx, picture);
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
        proof: picture.id,
        createdAt: new Date(this.parts.now()),
      })
      .returning({ id: deposits.id });
    if (!row) throw new Error('a deposit was not inserted');
    return row.id;
  }

  /** Newest first. */
  async page(userId: number, kind: MoneyKind, page: number): Promise<Page<DepositRow>> {
    const { db } = this.parts;
    const own = and(eq(deposits.userId, userId), eq(deposits.kind, kind));
    const { rows, total } = await selectPage(db, deposits, own, page, deposits.createdAt);
    return { data: rows.map(depositRow), total };
  }

  /**
   * Marks a pending deposit as one that can't exist. Throws a Refusal where it is not pending. The
   * user reads `remark`.
   */
  invalidate(work: UnitOfWork, id: number, remark: string): Promise<void> {
    return this.queue.decide(work, id, async ({ update }) => {
      await update({ status: 'invalid', remark, reviewedAt: new Date(this.parts.now()) });
    });
  }

  private channel(kind: MoneyKind, id: number): Channel | undefined {
    const { networks, bankAccounts, bankCurrencies } = this.parts.catalogue;
    if (kind === 'coin') return networks.find((network) => network.id === id);
    const account = bankAccounts.find((candidate) => candidate.id === id);
    const currency = bankCurrencies.find((candidate) => candidate.id === account?.currencyId);
    return currency && { currency: currency.name, usdPrice: currency.usdPrice };
  }
}

/**
 * Throws a Refusal of a picture that proves another deposit of any user, because users share proofs. The hash is that of the
 * picture as encoded again, so equal pixels have equal hashes. Units of work run one at a time, so no other one takes it in between.
 */
async function refuseUsedProof(tx: Tx, { id, hash }: KeptPicture): Promise<void> {
  const same = or(eq(pictures.id, id), and(ne(pictures.hash, ''), eq(pictures.hash, hash)));
  const [used] = await tx
    .select({ id: deposits.id })
    .from(deposits)
    .innerJoin(pictures, eq(pictures.id, deposits.proof))
    .where(and(same, inArray(deposits.status, ['unchecked', 'finished'])))
    .limit(1);
  if (used) throw new Refusal(CODE_REFUSED, 'server.proofUsed');
}

function depositQueue({
  db,
  ledger,
  pictures,
  catalogue,
  now,
}: DepositParts): TableQueue<DepositRecord> {
  const credited = ({ number, usdPrice }: DepositRecord) =>
    credit(toCurrencyAmount(number), toUsdRate(usdPrice));
  return createReviewQueue(deposits, {
    db,
    kind: 'deposit',
    pendingStatus: 'unchecked',
    submittedAt: ({ createdAt }) => createdAt,
    title: ({ number, currencyCode }) => `${toText(toDecimal(number))} ${currencyCode}`,
    details: (row, origin) => ({
      submitted: row.createdAt.toISOString(),
      reviewed: row.reviewedAt?.toISOString() ?? '',
      remark: row.remark,
      by: channelName(catalogue, row),
      address: row.address,
      number: `${toText(toDecimal(row.number))} ${row.currencyCode}`,
      credits: `${toText(credited(row))} USD`,
      proof: pictures.sign(row.proof, origin),
    }),
    // The money has arrived.
    async approve({ work, row, update }) {
      const amount = credited(row);
      await update({ status: 'finished', credited: toText(amount), reviewedAt: new Date(now()) });
      await ledger.post(work, [depositEntry(row.userId, row.id, amount)]);
    },
    // The money has not arrived.
    async reject({ update }, remark) {
      await update({ status: 'rejected', remark, reviewedAt: new Date(now()) });
    },
  });
}

/** Where the operator looks for the money. */
function channelName(
  { networks, bankAccounts }: WalletCatalogue,
  { kind, channelId }: DepositRecord,
): string {
  if (kind === 'coin') return networks.find(({ id }) => id === channelId)?.protocol ?? '';
  const account = bankAccounts.find(({ id }) => id === channelId);
  return account ? `${account.bankName}, account ${account.payeeAccount}` : '';
}

function depositRow(record: DepositRecord): DepositRow {
  return {
    id: record.id,
    number: toText(toDecimal(record.number)),
    type: DEPOSIT_TYPES[record.kind],
    currency_code: record.currencyCode,
    status: DEPOSIT_STATUSES.indexOf(record.status),
    created_at: record.createdAt.toISOString(),
    remark: record.remark,
  };
}
