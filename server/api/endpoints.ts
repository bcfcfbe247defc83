import * as account from '#domain/api/account';
import * as alerts from '#domain/api/alerts';
import * as clientErrors from '#domain/api/clientErrors';
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
import * as vitals from '#domain/api/vitals';
import * as wallet from '#domain/api/wallet';

const TABLE = {
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
  vitals,
  clientErrors,
  wallet,
};

export interface EndpointName {
  subject: string;
  /** Unique among all subjects. */
  name: string;
}

const names = new Map<unknown, EndpointName>(
  Object.entries(TABLE).flatMap(([subject, exports]) =>
    Object.entries(exports).map(([name, value]) => [value, { subject, name }] as const),
  ),
);

/** The place of the endpoint in domain/api; undefined if it is not declared there. */
export function nameOf(endpoint: EndpointFields): EndpointName | undefined {
  return names.get(endpoint);
}
