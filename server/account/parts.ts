import type { Db } from '../db/open';
import type { Transactions } from '../db/transactions';
import type { Ledger } from '../ledger/ledger';
import type { Notifier } from '../notify/notifier';
import type { Captchas } from './captcha/captchas';
import type { Codes } from './codes/codes';
import type { AttemptLimits } from './limits/attemptLimits';
import type { Sessions } from './sessions';

/** What registering, logging in and changing passwords have in common. */
export interface AccountParts {
  db: Db;
  transactions: Transactions;
  ledger: Ledger;
  sessions: Sessions;
  notifier: Notifier;
  codes: Codes;
  captchas: Captchas;
  guard: AttemptLimits;
  /** The invitation code of the house. */
  brokerInviteCode: string;
  /** Whether mobile numbers are in use (setting is_show_mobile). */
  mobile: boolean;
  /** `verify_reg_type` 2. */
  registersByCaptcha: boolean;
  now(): number;
}
