import { eq } from 'drizzle-orm';
import type { AddressKind } from '#domain/account/address';
import { CODE_TYPES } from '#domain/account/codes';
import { addressProblem } from '#domain/account/rules';
import type { CaptchaParams, SentCodeRow } from '#domain/api/account';
import type { Language } from '#domain/core/language';
import { users } from '../../db/schema';
import { Confirmed } from '../../http/envelope';
import { CODE_REFUSED, Refusal } from '../../http/refusal';
import type { Caller } from '../../http/route';
import type { Notification } from '../../notify/messages';
import type { PayoutCodes } from '../../wallet/payoutCodes';
import { checkNumber, checkOffered, findUser, refuse, toAddress } from '../addresses';
import { checkArea } from '../areas';
import { isVerified } from '../captcha/captchas';
import type { AccountParts } from '../parts';
import { CODE_INTERVAL, CODE_LIFE, type Purpose } from './codes';

/** send_sms and send_email. The answer does not reveal whether anything was sent (D39). */
export async function sendCode(
  parts: AccountParts,
  type: AddressKind,
  params: CaptchaParams & { to: string; area_id: number; type: number },
  asker: { ip: string; language: Language },
): Promise<Confirmed<SentCodeRow>> {
  const { db, captchas, codes, limits, notifier, mobile } = parts;
  const address = toAddress(type, params.to);
  refuse(addressProblem(type, address.address));
  checkOffered(type, mobile);
  checkNumber(address);
  if (type === 'mobile') checkArea(address.address, params.area_id);
  const verified = await isVerified(captchas, params);
  limits.takeCode(asker.ip, verified);
  const purpose: Purpose = params.type === CODE_TYPES.register ? 'register' : 'reset';
  const code = await codes.issue(purpose, address.address, verified);
  const known = (await findUser(db, address)) !== undefined;
  const minutes = CODE_LIFE / 60;
  const notice = noticeOf(purpose, known, { kind: 'code', code, minutes });
  if (notice) notifier.send({ ...address, language: asker.language }, notice);
  return new Confirmed(
    { expires_in: CODE_LIFE, retry_after: CODE_INTERVAL },
    purpose === 'register' ? 'server.codeSent' : 'server.codeSentIfKnown',
    { minutes },
  );
}

function noticeOf(purpose: Purpose, known: boolean, code: Notification): Notification | undefined {
  if (purpose === 'register') return known ? { kind: 'taken' } : code;
  return known ? code : undefined;
}

/** send_sms and send_email of type 3: to the user's own address (protocol.md#sent-codes). */
export async function sendPayoutCode(
  { db, captchas, limits, notifier, payoutCodes }: AccountParts,
  type: AddressKind,
  params: Parameters<PayoutCodes['issue']>[1] & CaptchaParams,
  { userId }: Caller,
  { ip, language }: { ip: string; language: Language },
): Promise<Confirmed<SentCodeRow>> {
  if (!payoutCodes) throw Refusal.malformed('type');
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  const address = toAddress(type, user?.[type] ?? '');
  if (!address.address) throw new Refusal(CODE_REFUSED, 'server.addressMissing');
  const verified = await isVerified(captchas, params);
  limits.takeCode(ip, verified);
  const minutes = CODE_LIFE / 60;
  const letter = await payoutCodes.issue(userId, params, verified, minutes);
  notifier.send({ ...address, language }, letter);
  return new Confirmed({ expires_in: CODE_LIFE, retry_after: CODE_INTERVAL }, 'server.codeSent', {
    minutes,
  });
}
