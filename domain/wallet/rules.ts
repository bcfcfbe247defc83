/**
 * Rules for deposits, withdrawals and payout methods (domain.md#validation). The same functions run
 * in the form and in the server. Each returns the first broken rule of every field, in the order of the form.
 */

import { compare, sign, toText } from '../core/decimal';
import {
  amountProblem,
  type FieldProblem,
  fieldProblem,
  lineProblem,
  problems,
} from '../core/rule';
import type { UnixMs } from '../core/time';
import { CENTS, type CurrencyAmount, toUsd, type Usd, type UsdRate } from '../core/units';
import { availableProblem } from '../trading/available';
import { isCoinAddress, normalCoinAddress } from './coinAddress';
import { credit } from './deposit';
import { MAX_LINE, type MoneyKind, type Payee } from './wallet';
import { received, type WithdrawTerms, withdrawFee } from './withdraw';

/** Decimals of an amount of a coin. */
const COIN_SCALE = 8;
/** The least and the most that one deposit credits, USD. */
const MIN_CREDIT = toUsd('0.01');
const MAX_CREDIT = toUsd(10_000_000);
/** The least of one withdrawal, USD. */
export const MIN_WITHDRAWAL = toUsd(10);
const HOUR_MS = 3_600_000;

export interface DepositForm {
  kind: MoneyKind;
  /** The network, or the bank account; undefined where none is chosen. */
  channel: { usdPrice: UsdRate } | undefined;
  /** Of the currency; undefined where nothing is entered. */
  number: CurrencyAmount | undefined;
  /** Addresses of uploaded pictures: exactly one. */
  proofs: readonly string[];
}

/** Checks a deposit: channel, amount, one picture as proof (domain.md#deposit-form). */
export function depositProblems(form: DepositForm): FieldProblem<keyof DepositForm>[] {
  const coin = form.kind === 'coin';
  return problems<keyof DepositForm>(
    !form.channel && fieldProblem('channel', coin ? 'networkRequired' : 'noPayChannel'),
    numberProblem(form, coin),
    form.proofs.length !== 1 && fieldProblem('proofs', 'proofRequired'),
  );
}

function numberProblem(
  { channel, number }: DepositForm,
  coin: boolean,
): FieldProblem<'number'> | undefined {
  if (!number)
    return fieldProblem('number', coin ? 'coinNumberRequired' : 'rechargeAmountRequired');
  const wrong = amountProblem(number, coin ? COIN_SCALE : CENTS);
  if (wrong) return { field: 'number', message: wrong };
  if (!channel) return undefined;
  const usd = credit(number, channel.usdPrice);
  if (compare(usd, MIN_CREDIT) < 0) return fieldProblem('number', 'depositTooSmall');
  return compare(usd, MAX_CREDIT) > 0
    ? fieldProblem('number', 'depositTooLarge', { max: toText(MAX_CREDIT) })
    : undefined;
}

export interface WithdrawForm {
  /** Undefined where none is chosen. */
  currency: WithdrawTerms | undefined;
  /** Id of the saved address or account; undefined where none is chosen. */
  method: number | undefined;
  /** USD; undefined where nothing is entered. */
  amount: Usd | undefined;
}

/** What the rules need to know besides the form. What is undefined is not checked. */
export interface WithdrawContext {
  available: Usd | undefined;
  /** How many methods the user has saved. */
  methods: number | undefined;
  /** Hours until the chosen method can be used, from `hoursUntilUsable`. */
  waitHours: number;
}

/** Hours, rounded up, until money is sent to a payout method; 0: now (domain.md#payout-methods). */
export function hoursUntilUsable(
  { usableAt }: { usableAt: UnixMs | undefined },
  now: UnixMs,
): number {
  return usableAt === undefined ? 0 : Math.max(0, Math.ceil((usableAt - now) / HOUR_MS));
}

/** Checks a withdrawal (domain.md#withdrawal-form). */
export function withdrawProblems(
  form: WithdrawForm,
  context: WithdrawContext,
): FieldProblem<keyof WithdrawForm>[] {
  return problems<keyof WithdrawForm>(
    // The methods are those of a currency.
    form.currency ? methodProblem(form, context) : fieldProblem('currency', 'currencyRequired'),
    withdrawnProblem(form, context),
  );
}

function methodProblem(
  { method }: WithdrawForm,
  { methods, waitHours }: WithdrawContext,
): FieldProblem<'method'> | undefined {
  if (method === undefined)
    return fieldProblem('method', methods === 0 ? 'payoutMethodMissing' : 'payoutMethodRequired');
  return waitHours > 0
    ? fieldProblem('method', 'payoutMethodWaits', { hours: waitHours })
    : undefined;
}

function withdrawnProblem(
  { currency, amount }: WithdrawForm,
  { available }: WithdrawContext,
): FieldProblem<'amount'> | undefined {
  if (!amount) return fieldProblem('amount', 'withdrawAmountRequired');
  const wrong = amountProblem(amount, CENTS);
  if (wrong) return { field: 'amount', message: wrong };
  if (compare(amount, MIN_WITHDRAWAL) < 0)
    return fieldProblem('amount', 'amountBelowMinimum', { min: toText(MIN_WITHDRAWAL) });
  if (currency && sign(received(currency, amount)) <= 0)
    return fieldProblem('amount', 'feeExceedsAmount', {
      fee: toText(withdrawFee(currency, amount)),
    });
  return available && availableProblem(amount, available);
}

export interface PayoutForm extends Payee {
  kind: MoneyKind;
  /** The network of a coin address, as "TRC20"; undefined where no currency is chosen. */
  protocol: string | undefined;
}

const BANK_FIELDS = ['bankName', 'bankAddress', 'bankSwift', 'payeeName', 'payeeAccount'] as const;
const LINES = [...BANK_FIELDS, 'branchName', 'remark'] as const;
const PAYEE_FIELDS = [...LINES, 'address'] as const;

/** Checks a payout method; branch and remark are optional (domain.md#payout-method-form). */
export function payoutProblems(form: PayoutForm): FieldProblem<keyof PayoutForm>[] {
  const { kind, protocol } = form;
  const tooLong = PAYEE_FIELDS.filter((field) => [...form[field]].length > MAX_LINE);
  return problems<keyof PayoutForm>(
    protocol === undefined && fieldProblem('protocol', 'currencyRequired'),
    ...(kind === 'coin' ? [addressProblem(form)] : emptyFields(form)),
    ...tooLong.map((field) => fieldProblem(field, 'textTooLong', { max: MAX_LINE })),
    ...LINES.map((field) => lineProblem(field, form[field])),
  );
}

function addressProblem({
  address: given,
  protocol,
}: PayoutForm): FieldProblem<'address'> | undefined {
  const address = normalCoinAddress(given);
  if (address === '') return fieldProblem('address', 'addressRequired');
  return protocol === undefined || isCoinAddress(protocol, address)
    ? undefined
    : fieldProblem('address', 'addressInvalid', { protocol });
}

function emptyFields(form: PayoutForm): FieldProblem<keyof PayoutForm>[] {
  const empty = BANK_FIELDS.filter((field) => form[field].trim() === '');
  return empty.map((field) => fieldProblem(field, 'incomplete'));
}
