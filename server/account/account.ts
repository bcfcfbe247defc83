import type { FastifyInstance } from 'fastify';
import type { Keys } from '../config/secret';
import { Captchas } from './captcha/captchas';
import { Codes } from './codes/codes';
import { brokerInviteCode } from './invitations';
import { AttemptLimits } from './limits/accountLimits';
import type { IdentityParts } from './parts';
import { identityRoutes } from './routes';

export interface IdentityOptions
  extends Pick<
    IdentityParts,
    'db' | 'changes' | 'ledger' | 'sessions' | 'notifier' | 'mobile' | 'now'
  > {
  keys: Keys;
  /** 2: registration by captcha, otherwise by a sent code (§5). */
  verifyRegType: number;
}

export interface Identity {
  /** The invitation code of the house, for those whom nobody invited. */
  brokerInviteCode: string;
  routes(app: FastifyInstance): void;
}

/** Real users: registration, login, passwords, codes. */
export function createIdentity({ keys, verifyRegType, ...given }: IdentityOptions): Identity {
  const { db, now } = given;
  const parts: IdentityParts = {
    ...given,
    codes: new Codes(db, keys('codes'), now),
    captchas: new Captchas(now),
    guard: new AttemptLimits(now),
    brokerInviteCode: brokerInviteCode(keys('invitation')),
    registersByCaptcha: verifyRegType === 2,
  };
  return { brokerInviteCode: parts.brokerInviteCode, routes: (app) => identityRoutes(app, parts) };
}
