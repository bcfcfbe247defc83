import { toText } from '#domain/core/decimal';
import { readCode } from '#domain/core/inputText';
import type { Codes } from '../account/codes/codes';
import { wrongCode } from '../account/codes/codes';
import type { Tx } from '../db/database';
import type { Transactions } from '../db/transactions';
import { Refusal } from '../http/refusal';
import type { Notification } from '../notify/messages';
import { type PayoutMethods, payeeText } from './payoutMethods';
import {
  type BindParams,
  type DrawParams,
  methodOf,
  methodSubject,
  type PayoutSubject,
  requestOf,
  withdrawalSubject,
} from './payoutParams';
import type { Withdrawals } from './withdrawals';

export interface PayoutCodeParts {
  codes: Codes;
  transactions: Transactions;
  withdrawals: Withdrawals;
  methods: PayoutMethods;
}

type Params = DrawParams & BindParams;

/**
 * Codes that confirm a withdrawal or a new payout method (protocol.md#sent-codes). A hash over user, kind and parameters confirms nothing
 * that was changed after the letter was read. A guess is counted before the payout's transaction, so that neither a refusal undoes it nor
 * a thousand simultaneous requests have a thousand guesses; the code is used up inside of it, so that it survives a refusal.
 */
export class PayoutCodes {
  private readonly parts: PayoutCodeParts;

  constructor(parts: PayoutCodeParts) {
    this.parts = parts;
  }

  /**
   * Makes a code for what the parameters ask for, and returns the letter that carries it. `verified`:
   * a captcha was solved. Throws a Refusal of a payout that would be refused anyway.
   */
  async issue(
    userId: number,
    params: Params,
    verified: boolean,
    minutes: number,
  ): Promise<Notification> {
    const { codes } = this.parts;
    const { subject, ...letter } =
      params.draw_id > 0 ? await this.bound(userId, params) : await this.drawn(userId, params);
    const code = await codes.issue(subject.purpose, String(userId), verified, subject.text);
    return { ...letter, code, minutes };
  }

  /** Uses up a guess and returns whether the code is right. It stays valid until `use`. */
  guess(userId: number, { purpose, text }: PayoutSubject, code: string): Promise<boolean> {
    return this.parts.codes.guess(purpose, String(userId), readCode(code), text);
  }

  /** Invalidates a code; `right` is what `guess` returned. Throws a Refusal of a wrong one. */
  async use(
    tx: Tx,
    userId: number,
    { purpose, text }: PayoutSubject,
    given: string,
    right: boolean,
  ): Promise<void> {
    const code = readCode(given);
    if (code === '') throw Refusal.ofRule({ key: 'codeRequired' });
    if (!right) throw wrongCode();
    await this.parts.codes.use(tx, purpose, String(userId), code, text);
  }

  private async drawn(userId: number, params: Params) {
    const { transactions, withdrawals } = this.parts;
    const request = requestOf(params);
    const { method, amount } = await transactions.run((work) =>
      withdrawals.check(work, userId, request),
    );
    return {
      subject: withdrawalSubject(request),
      kind: 'withdrawalCode' as const,
      amount: toText(amount),
      to: payeeText(method),
    };
  }

  private async bound(userId: number, params: Params) {
    const { transactions, methods } = this.parts;
    // An unknown currency is refused by the check, whatever the kind.
    const method = methodOf(methods.kindOf(params.draw_id) ?? 'coin', params);
    const { kind, payee } = await transactions.run(({ tx }) => methods.check(tx, userId, method));
    return {
      subject: methodSubject(method),
      kind: 'methodCode' as const,
      to: payeeText({ ...payee, kind }),
    };
  }
}
