import { eq } from 'drizzle-orm';
import type { Language } from '#domain/core/language';
import { type Address, toAddress } from '../account/addresses';
import { users } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import type { Notification } from './messages';
import type { Notifier } from './notifier';

/** The user's address for notices: email before mobile. */
function ownAddress({ email, mobile }: { email: string; mobile: string }): Address {
  return email ? toAddress('email', email) : toAddress('mobile', mobile);
}

/** Notifies users at their own address of what has happened in their accounts. */
export class UserNotices {
  private readonly notifier: Pick<Notifier, 'send'>;

  constructor(notifier: Pick<Notifier, 'send'>) {
    this.notifier = notifier;
  }

  /** Sends once `work` is committed. Users without an address, such as demo users, get none. */
  async send(
    work: UnitOfWork,
    userId: number,
    language: Language,
    notification: Notification,
  ): Promise<void> {
    const [user] = await work.tx
      .select({ email: users.email, mobile: users.mobile })
      .from(users)
      .where(eq(users.id, userId));
    const { type, address } = ownAddress(user ?? { email: '', mobile: '' });
    if (!address) return;
    work.onCommit(() => this.notifier.send({ type, address, language }, notification));
  }
}
