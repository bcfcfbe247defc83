import type { User } from '#domain/account/user';

/** The name to show for a user: email, otherwise mobile number, otherwise uid. */
export function nameOf({ email, mobile, uid }: User): string {
  return email || (mobile && `+${mobile}`) || uid;
}
