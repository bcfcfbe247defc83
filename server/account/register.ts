import { registerProblems } from '#domain/account/rules';
import type { RegisterParams } from '#domain/api/account';
import type { SessionRow } from '#domain/api/user';
import { readCode } from '#domain/core/inputText';
import { credentials } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { type Address, checkNumber, checkOffered, findUser, refuse, toAddress } from './addresses';
import { checkArea } from './areas';
import { wrongCode } from './codes/codes';
import { deviceName, type LoginOrigin } from './devices';
import { inviterOf, newInviteCode } from './invitations';
import type { AccountParts } from './parts';
import { refuseGuessable } from './password/guessable';
import { hashPassword } from './password/passwordHash';
import { insertUser, userRow } from './users';

/** register: creates a user and logs them in. */
export async function register(
  parts: AccountParts,
  params: RegisterParams,
  origin: LoginOrigin,
): Promise<SessionRow> {
  const { transactions, codes, captchas, limits, registersByCaptcha, otherEngines } = parts;
  // Before the form is judged: of invisible marks nothing remains.
  const code = readCode(params.sms_code);
  const inviteCode = readCode(params.invite_code);
  const address = await checkForm(parts, params, code, inviteCode);
  return limits.limitNetwork(origin.ip, async () => {
    const passwordHash = await hashPassword(params.password);
    if (registersByCaptcha) {
      if (!(await captchas.solve(params.key, code)))
        throw new Refusal(CODE_REFUSED, 'server.captchaWrong');
    } else if (!(await codes.guess('register', address.address, code))) throw wrongCode();
    const invitedBy = await inviterOf(parts, inviteCode);
    const { type: kind, address: value } = address;
    // Another engine has it, or is about to.
    if (!(await otherEngines.isPlaceOf({ kind, value }))) throw taken();
    return transactions.run(async (work) => {
      if (!registersByCaptcha) await codes.use(work.tx, 'register', address.address, code);
      return create(parts, work, address, passwordHash, invitedBy, origin);
    });
  });
}

async function checkForm(
  parts: AccountParts,
  params: RegisterParams,
  code: string,
  inviteCode: string,
): Promise<Address> {
  const { type, password, re_password: repeated, area_id: areaId, mobile } = params;
  const address = toAddress(type, params.account);
  refuse(
    registerProblems({ type, account: address.address, password, repeated, inviteCode, code })[0],
  );
  checkOffered(type, parts.mobile);
  checkNumber(address);
  await refuseGuessable(password, address.address, parts.productName);
  if (type === 'mobile') {
    const area = checkArea(address.address, areaId);
    if (!area) throw new Refusal(CODE_REFUSED, 'server.areaUnknown');
    const given = toAddress(type, area.globalCode + mobile);
    if (mobile && given.address !== address.address) {
      throw new Refusal(CODE_REFUSED, 'server.areaDiffers');
    }
  }
  return address;
}

async function create(
  { ledger, sessions, knownDevices, now }: AccountParts,
  work: UnitOfWork,
  address: Address,
  passwordHash: string,
  invitedBy: number | undefined,
  origin: LoginOrigin,
): Promise<SessionRow> {
  const { tx } = work;
  // Units of work run one at a time, so nobody else registers it in between.
  if (await findUser(tx, address)) throw taken();
  const user = await insertUser(work, {
    isDemo: false,
    [address.type]: address.address,
    inviteCode: newInviteCode(),
    createdAt: new Date(now()),
  });
  await ledger.open(tx, user.id);
  await tx.insert(credentials).values({ userId: user.id, passwordHash, invitedBy });
  await knownDevices.isNew(work, user.id, origin);
  const { language, userAgent } = origin;
  const token = await sessions.open(work, user.id, { device: deviceName(userAgent), language });
  return { token, user: userRow(user) };
}

function taken(): Refusal {
  return new Refusal(CODE_REFUSED, 'server.accountTaken');
}
