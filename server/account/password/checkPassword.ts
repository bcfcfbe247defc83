import { eq } from 'drizzle-orm';
import { CODE_CAPTCHA } from '#domain/api/envelope';
import { credentials, users } from '../../db/schema';
import { CODE_REFUSED, Refusal } from '../../http/refusal';
import type { AccountParts } from '../parts';
import { isPassword } from './passwordHash';

/** What a user waits where a login would be asked for a captcha. */
const WAIT_SECONDS = 15 * 60;

/** Throws a Refusal of a wrong password, which counts as a failed login (D37). */
export async function checkPassword(
  { db, limits }: AccountParts,
  userId: number,
  password: string,
  ip: string,
): Promise<void> {
  if (password === '') throw Refusal.ofRule({ key: 'passwordRequired' });
  const [known] = await db
    .select({
      email: users.email,
      mobile: users.mobile,
      passwordHash: credentials.passwordHash,
    })
    .from(users)
    .innerJoin(credentials, eq(credentials.userId, users.id))
    .where(eq(users.id, userId));
  const account = known?.email || known?.mobile || '';
  try {
    await limits.limitLogin({ account, ip, verified: undefined }, async () => {
      if (await isPassword(password, known?.passwordHash)) return;
      throw new Refusal(CODE_REFUSED, 'server.passwordWrong');
    });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== CODE_CAPTCHA) throw error;
    // These calls take no captcha.
    throw new Refusal(429, 'server.tooManyAttempts', { seconds: WAIT_SECONDS });
  }
}
