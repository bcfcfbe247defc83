import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AppStatusRow, BasicInfoRow, ComplaintEmailRow, SettingRow } from '#domain/api/common';
import { text } from '../http/params';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { route } from '../http/route';

/** What the operator has set and the page must know before anyone logs in. */
export interface PublicSettings {
  basicInfo: BasicInfoRow;
  status: AppStatusRow;
  /** Whether mobile registration and login are offered. */
  mobile: boolean;
  /** Empty: none here, a client asks elsewhere. */
  complaintEmail: string;
}

export function settingsRoutes(app: FastifyInstance, settings: PublicSettings): void {
  route(app, {
    method: 'GET',
    url: '/api/basicSet/getBasicInfo',
    handler: (): BasicInfoRow => settings.basicInfo,
  });

  route(app, {
    method: 'GET',
    url: '/api/company/getCompanyStatus',
    handler: (): AppStatusRow => settings.status,
  });

  route(app, {
    method: 'GET',
    url: '/api/common/complaint_email',
    handler(): ComplaintEmailRow {
      const { complaintEmail: email } = settings;
      if (!email) throw new Refusal(CODE_REFUSED, 'server.noComplaintEmail');
      return { email };
    },
  });

  const values = new Map([['is_show_mobile', settings.mobile ? '1' : '0']]);
  route(app, {
    method: 'GET',
    url: '/api/default/setting',
    params: z.object({ key: text() }),
    handler({ params: { key } }): SettingRow {
      const value = values.get(key);
      if (value === undefined) throw new Refusal(CODE_REFUSED, 'server.unknownSetting', { key });
      return { key, value };
    },
  });
}
