import { loginProblem } from '#domain/account/rules';
import type { LoginParams } from '#domain/api/account';
import type { SessionRow } from '#domain/api/common';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { checkOffered, findUser, refuse, toAddress } from './addresses';
import { isVerified } from './captcha/captchas';
import type { AccountParts } from './parts';
import { isPassword } from './password/passwordHash';
import { userRow } from './users';

/**
 * loginForU. A wrong password and an unknown address get the same answer after the same time (D39).
 */
export async function login(
  parts: AccountParts,
  { account, password, login_type: type, ...captcha }: LoginParams,
  ip: string,
): Promise<SessionRow> {
  const { db, transactions, sessions, captchas, limits, mobile } = parts;
  const address = toAddress(type, account);
  refuse(loginProblem({ type, account: address.address, password }));
  checkOffered(type, mobile);
  const verified = isVerified(captchas, captcha);
  return limits.limitLogin({ account: address.address, ip, verified }, async () => {
    const known = await findUser(db, address);
    if (!(await isPassword(password, known?.passwordHash)) || !known) throw wrong();
    return transactions.run(async ({ tx }) => {
      // Check again: the password may have changed while this one was verified.
      const now = await findUser(tx, address);
      if (now?.passwordHash !== known.passwordHash) throw wrong();
      return { token: await sessions.open(tx, now.user.id), user: userRow(now.user) };
    });
  });
}

function wrong(): Refusal {
  return new Refusal(CODE_REFUSED, 'server.loginWrong');
}
