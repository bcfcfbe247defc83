import type { SessionRow } from '#domain/api/user';
import type { UnitOfWork } from '../db/transactions';
import { deviceName, type LoginOrigin } from './devices';
import type { AccountParts } from './parts';
import { type UserRecord, userRow } from './users';

/** Logs in a user who has proven who they are, and notifies them of a new device. Throws a Refusal of a locked account. */
export async function openSession(
  { knownDevices, notices, sessions, now }: AccountParts,
  work: UnitOfWork,
  user: UserRecord,
  origin: LoginOrigin,
): Promise<SessionRow> {
  const { language } = origin;
  const device = deviceName(origin.userAgent);
  if (await knownDevices.isNew(work, user.id, origin)) {
    await notices.send(work, user.id, language, { kind: 'device', device, at: now() });
  }
  const token = await sessions.open(work, user.id, { device, language });
  return { token, user: userRow(user) };
}
