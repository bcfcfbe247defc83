import { loginProblems } from '#domain/account/rules';
import type { LoginParams } from '#domain/api/account';
import { CODE_SECOND_FACTOR } from '#domain/api/envelope';
import type { SessionRow } from '#domain/api/user';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { checkOffered, findUser, refuse, toAddress } from './addresses';
import { isVerified } from './captcha/captchas';
import type { LoginOrigin } from './devices';
import { openSession } from './openSession';
import type { AccountParts } from './parts';
import { isPassword } from './password/passwordHash';

/**
 * loginForU. A wrong password and an unknown address get the same answer after the same time (D39).
 */
export async function login(
  parts: AccountParts,
  { account, password, login_type: type, ticket, otp, ...captcha }: LoginParams,
  origin: LoginOrigin,
): Promise<SessionRow> {
  const { db, transactions, captchas, limits, mobile, secondFactors } = parts;
  const address = toAddress(type, account);
  refuse(loginProblems({ type, account: address.address, password })[0]);
  checkOffered(type, mobile);
  const continued = secondFactors.isTicket(ticket, address.address);
  const verified = await isVerified(captchas, captcha);
  // A ticket proves the password, and a captcha where one was needed.
  const attempt = { account: address.address, ip: origin.ip, verified: continued || verified };
  const outcome = await limits.limitLogin(attempt, async () => {
    const known = await findUser(db, address);
    if (!(await isPassword(password, known?.passwordHash)) || !known) throw wrong();
    // Not thrown: a right password is no failed attempt.
    if (known.user.secondFactor && !(continued && otp)) return undefined;
    return transactions.run(async (work) => {
      // Check again: the password may have changed while this one was verified.
      const current = await findUser(work.tx, address);
      if (current?.passwordHash !== known.passwordHash) throw wrong();
      const { user } = current;
      if (user.secondFactor) {
        await secondFactors.spend(work.tx, user.id, otp, { ip: origin.ip, verified });
      }
      return openSession(parts, work, user, origin);
    });
  });
  if (outcome) return outcome;
  const data = { ticket: secondFactors.ticket(address.address) };
  throw new Refusal(CODE_SECOND_FACTOR, 'server.otpNeeded', {}, data);
}

function wrong(): Refusal {
  return new Refusal(CODE_REFUSED, 'server.loginWrong');
}
