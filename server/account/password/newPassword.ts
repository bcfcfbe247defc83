import { eq } from 'drizzle-orm';
import { amendProblems, forgottenProblems } from '#domain/account/rules';
import type { AmendPasswordParams, ForgetPasswordParams } from '#domain/api/account';
import { readCode } from '#domain/core/inputText';
import type { Language } from '#domain/core/language';
import { credentials, users } from '../../db/schema';
import type { UnitOfWork } from '../../db/transactions';
import { CODE_REFUSED, Refusal } from '../../http/refusal';
import type { Caller } from '../../http/route';
import { type Address, checkOffered, findUser, refuse, toAddress } from '../addresses';
import { wrongCode } from '../codes/codes';
import type { AccountParts } from '../parts';
import { checkPassword } from './checkPassword';
import { refuseGuessable } from './guessable';
import { hashPassword } from './passwordHash';

/** Where a request comes from, and its language. */
interface RequestOrigin {
  ip: string;
  language: Language;
}

/** forget_password: ends all sessions. */
export async function forgetPassword(
  parts: AccountParts,
  params: ForgetPasswordParams,
  asker: RequestOrigin,
): Promise<void> {
  const { type, new_password: password, secondary_password: repeated } = params;
  const address = toAddress(type, params.account);
  const code = readCode(params.auth_code);
  refuse(forgottenProblems({ type, account: address.address, password, repeated, code })[0]);
  checkOffered(type, parts.mobile);
  await refuseGuessable(password, address.address, parts.productName);
  await setPassword(parts, address, password, code, asker, 0);
}

/** amend_password, by a code sent to one of the user's own addresses, and the old password where it is sent: ends all other sessions. */
export async function amendPassword(
  parts: AccountParts,
  { old_password: oldPassword, new_password: password, auth_code, type }: AmendPasswordParams,
  caller: Caller,
  asker: RequestOrigin,
): Promise<void> {
  const code = readCode(auth_code);
  refuse(amendProblems({ password, repeated: password, code })[0]);
  const [user] = await parts.db.select().from(users).where(eq(users.id, caller.userId));
  const address = toAddress(type, user?.[type] ?? '');
  if (!address.address) throw new Refusal(CODE_REFUSED, 'server.addressMissing');
  await refuseGuessable(password, address.address, parts.productName);
  if (oldPassword) await checkPassword(parts, caller.userId, oldPassword, asker.ip);
  await setPassword(parts, address, password, code, asker, caller.sessionId);
}

async function setPassword(
  parts: AccountParts,
  address: Address,
  password: string,
  code: string,
  { ip, language }: RequestOrigin,
  currentSession: number,
): Promise<void> {
  const { transactions, codes, limits, sessions, notifier } = parts;
  await limits.limitNetwork(ip, async () => {
    // Hash first, so that a wrong code takes as long as a right one.
    const passwordHash = await hashPassword(password);
    if (!(await codes.guess('reset', address.address, code))) throw wrongCode();
    await transactions.run(async (work: UnitOfWork) => {
      await codes.use(work.tx, 'reset', address.address, code);
      const known = await findUser(work.tx, address);
      if (!known) throw wrongCode();
      const userId = known.user.id;
      await work.tx.update(credentials).set({ passwordHash }).where(eq(credentials.userId, userId));
      await sessions.endAll(work, userId, currentSession);
      work.onCommit(() => {
        limits.clearAccount(address.address, ip);
        notifier.send({ ...address, language }, { kind: 'password' });
      });
    });
  });
}
