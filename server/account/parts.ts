import type { UnixMs } from '#domain/core/time';
import type { AdminActions } from '../admin/actions';
import type { Db } from '../db/database';
import type { Transactions } from '../db/transactions';
import type { Ledger } from '../ledger/ledger';
import type { Notifier } from '../notify/notifier';
import type { UserNotices } from '../notify/userNotices';
import type { Pictures } from '../uploads/pictures';
import type { PayoutCodes } from '../wallet/payoutCodes';
import type { Captchas } from './captcha/captchas';
import type { Codes } from './codes/codes';
import type { KnownDevices } from './devices';
import type { AttemptLimits } from './limits/attemptLimits';
import type { OtherEngines } from './otherEngines';
import type { Passkeys } from './passkeys/passkeys';
import type { RelyingParty } from './passkeys/relyingParty';
import type { SecondFactors } from './secondFactor/secondFactors';
import type { Sessions } from './sessions';

/** What the account's calls share. */
export interface AccountParts {
  db: Db;
  transactions: Transactions;
  ledger: Ledger;
  sessions: Sessions;
  notifier: Notifier;
  codes: Codes;
  /** Undefined: payouts need no code. */
  payoutCodes: PayoutCodes | undefined;
  captchas: Captchas;
  otherEngines: OtherEngines;
  limits: AttemptLimits;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
  relyingParty: RelyingParty;
  knownDevices: KnownDevices;
  notices: UserNotices;
  /** The audit log. */
  actions: AdminActions;
  pictures: Pictures;
  /** The broker's invitation code. */
  brokerInviteCode: string;
  /** Passwords must not be made of it. */
  productName: string;
  /** Whether mobile numbers are offered (setting is_show_mobile). */
  mobile: boolean;
  /** Whether registration asks for a captcha (`verify_reg_type` 2). */
  registersByCaptcha: boolean;
  now(): UnixMs;
}
