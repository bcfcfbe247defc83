import type { User } from '#domain/account/user';

/** What users call themselves here: their address, or their number. */
export function nameOf({ email, mobile, uid }: User): string {
  return email || (mobile && `+${mobile}`) || uid;
}
