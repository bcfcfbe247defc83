import { eq } from 'drizzle-orm';
import type { AddressKind } from '#domain/account/address';
import type { CaptchaParams, SentCodeRow } from '#domain/api/account';
import type { Language } from '#domain/core/language';
import { users } from '../../db/schema';
import { Confirmed } from '../../http/envelope';
import { CODE_REFUSED, Refusal } from '../../http/refusal';
import type { Caller } from '../../http/route';
import type { PayoutCodes } from '../../wallet/payoutCodes';
import { toAddress } from '../addresses';
import { isVerified } from '../captcha/captchas';
import type { AccountParts } from '../parts';
import { CODE_INTERVAL, CODE_LIFE } from './codes';

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
