import type { User } from '#domain/account/user';

/**
 * Whom a screen is for (§6): anybody; whoever is logged in, a demo user too; or
 * real users alone. What is not named is for anybody.
 */
export type Access = 'user' | 'real';

/** Beside the route table: its rows that are not for everybody (§2, §6, D60). */
export const ACCESS: Readonly<Record<string, Access>> = {
  '/order': 'user',
  '/user': 'user',
  '/mine/auth': 'real',
  '/mine/invite': 'real',
  '/mine/password': 'real',
  '/mine/history': 'user',
  '/mine/charge': 'real',
  '/mine/withdraw': 'real',
  '/mine/system': 'user',
  '/mine/wallet': 'real',
  '/mine/bank-card-list': 'real',
  '/mine/coin-address-list': 'real',
  '/mine/withdraw-way': 'real',
  '/mining/record': 'user',
  '/mining/income': 'user',
};

/** What stands between a user and a screen. `unknown`: it is not known yet who that is. */
export function barrier(
  path: string,
  who: Pick<User, 'demo'> | null | undefined,
): 'none' | 'unknown' | 'login' | 'real-account' {
  const access = ACCESS[path];
  if (!access) return 'none';
  if (who === undefined) return 'unknown';
  if (who === null) return 'login';
  return access === 'real' && who.demo ? 'real-account' : 'none';
}
