import * as account from '#domain/api/account';
import * as alerts from '#domain/api/alerts';
import * as common from '#domain/api/common';
import * as companies from '#domain/api/companies';
import type { EndpointFields } from '#domain/api/endpoint';
import * as market from '#domain/api/market';
import * as mining from '#domain/api/mining';
import * as news from '#domain/api/news';
import * as push from '#domain/api/push';
import * as ranking from '#domain/api/ranking';
import * as security from '#domain/api/security';
import * as settings from '#domain/api/settings';
import * as trading from '#domain/api/trading';
import * as user from '#domain/api/user';
import * as wallet from '#domain/api/wallet';
import { isEndpoint } from '../../helpers/endpoints';

const SUBJECTS = {
  account,
  alerts,
  common,
  companies,
  market,
  mining,
  news,
  push,
  ranking,
  security,
  settings,
  trading,
  user,
  wallet,
};

export interface NamedEndpoint {
  subject: keyof typeof SUBJECTS;
  name: string;
  endpoint: EndpointFields;
}

/** Every call that a server has. */
export function named(): NamedEndpoint[] {
  return Object.entries(SUBJECTS).flatMap(([subject, exports]) =>
    Object.entries<unknown>(exports)
      .filter((entry): entry is [string, EndpointFields] => isEndpoint(entry[1]))
      .filter(([, { usedBy }]) => usedBy !== 'nobody')
      .map(([name, endpoint]) => ({ subject: subject as keyof typeof SUBJECTS, name, endpoint })),
  );
}

/** The feature that a call belongs to; undefined: every server has it (protocol.md#features). */
export function featureOf({ subject, name }: NamedEndpoint): string | undefined {
  if (subject === 'alerts' || subject === 'push' || subject === 'settings') return subject;
  if (subject === 'security') return name.startsWith('otp') ? 'otp' : 'sessions';
  return undefined;
}
