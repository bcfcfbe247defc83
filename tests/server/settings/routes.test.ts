import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { settingsRoutes } from '../../../server/settings/routes';
import { send, serve } from '../http/testHttp';

const NOW = toUnixMs(Date.UTC(2026, 0, 5));

const settings = {
  basicInfo: {
    service_link: 'https://chat.example.com',
    service_link_type: 2,
    verify_reg_type: 1,
    trade_fee_type: 1,
    features: [],
    draw_verify: 0,
    fill_at_quote: 1 as const,
  },
  status: { status: 0, type: 3, loss_url: 'https://example.com/gone' },
  mobile: false,
  complaintEmail: 'complaints@example.com',
};

let url: string;
let app: FastifyInstance;
beforeAll(async () => {
  ({ url, app } = await serve((server) =>
    settingsRoutes(
      server,
      settings,
      () => NOW,
      () => true,
    ),
  ));
});
afterAll(() => app.close());

it.each([
  ['/api/basicSet/getBasicInfo', 1, { ...settings.basicInfo, wall: NOW }],
  ['/api/company/getCompanyStatus?t=1', 1, settings.status],
  ['/api/common/complaint_email', 1, { email: 'complaints@example.com' }],
  ['/api/default/setting?key=is_show_mobile', 1, { key: 'is_show_mobile', value: '0' }],
  ['/api/default/setting?key=other', 2, null],
  ['/api/default/setting?key=__proto__', 2, null],
  ['/api/default/setting', 400, null],
])('%s', async (path, code, data) => {
  const { status, text } = await send(url + path);
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ code, data });
});
