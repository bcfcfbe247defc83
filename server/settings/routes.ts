import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as accountApi from '#domain/api/account';
import type { AppStatusRow, BasicInfoRow } from '#domain/api/common';
import * as api from '#domain/api/common';
import type { UnixMs } from '#domain/core/time';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { route } from '../http/route';

/** Settings of the operator that the page needs before login. */
export interface PublicSettings {
  basicInfo: Omit<BasicInfoRow, 'wall'>;
  status: AppStatusRow;
  /** Whether mobile registration and login are offered. */
  mobile: boolean;
  /** Empty where the server has none; the client then asks elsewhere. */
  complaintEmail: string;
}

export function settingsRoutes(
  app: FastifyInstance,
  settings: PublicSettings,
  now: () => UnixMs,
  /** Whether the page that asks may use passkeys: not every address allows them (D171). */
  offersPasskeys: (request: FastifyRequest) => boolean,
): void {
  route(app, api.basicInfo, {
    handler({ request }) {
      const without = offersPasskeys(request) ? undefined : 'passkeys';
      const features = settings.basicInfo.features.filter((feature) => feature !== without);
      return { ...settings.basicInfo, features, wall: now() };
    },
  });

  route(app, api.appStatus, {
    handler: () => settings.status,
  });

  route(app, accountApi.complaintEmail, {
    handler() {
      const { complaintEmail: email } = settings;
      if (!email) throw new Refusal(CODE_REFUSED, 'server.noComplaintEmail');
      return { email };
    },
  });

  const values = new Map([['is_show_mobile', settings.mobile ? '1' : '0']]);
  route(app, accountApi.setting, {
    handler({ params: { key } }) {
      const value = values.get(key);
      if (value === undefined) throw new Refusal(CODE_REFUSED, 'server.unknownSetting', { key });
      return { key, value };
    },
  });
}
