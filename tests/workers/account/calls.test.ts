import { describe, expect, it } from 'vitest';
import { createAccountWorker, USER } from './accountWorker';

const form = (body: string | undefined) => Object.fromEntries(new URLSearchParams(body));

async function begun() {
  const worker = createAccountWorker();
  await worker.begin();
  return worker;
}

describe('settings', () => {
  it.each([
    [
      { verify_reg_type: 2, service_link: 'https://help.example/', service_link_type: 1 },
      '1',
      {
        byCaptcha: true,
        mobile: true,
        chat: { place: 'inside', url: 'https://help.example/' },
        drawVerify: false,
        judgedAtQuote: false,
        features: [],
      },
    ],
    [
      {
        verify_reg_type: '1',
        service_link: 'https://help.example/',
        service_link_type: '2',
        fill_at_quote: 2,
      },
      0,
      {
        byCaptcha: false,
        mobile: false,
        chat: { place: 'window', url: 'https://help.example/' },
        drawVerify: false,
        judgedAtQuote: true,
        features: [],
      },
    ],
    [
      {
        verify_reg_type: 1,
        service_link: 'https://help.example/',
        service_link_type: 0,
        fill_at_quote: 1,
      },
      '1',
      {
        byCaptcha: false,
        mobile: true,
        chat: undefined,
        drawVerify: false,
        judgedAtQuote: false,
        features: [],
      },
    ],
    [
      { service_link: 'javascript:alert(1)', service_link_type: 1 },
      'x',
      {
        byCaptcha: false,
        mobile: false,
        chat: undefined,
        drawVerify: false,
        judgedAtQuote: false,
        features: [],
      },
    ],
  ])('%j and is_show_mobile %j', async (info, value, settings) => {
    const { workerApi, server } = await begun();
    server.on('/api/basicSet/getBasicInfo', () => ({ data: info }));
    server.on('/api/default/setting', ({ params }) => ({ data: { key: params['key'], value } }));
    expect(await workerApi.accountSettings()).toEqual({ ok: true, data: settings });
    expect(server.to('/api/default/setting')[0]?.params['key']).toBe('is_show_mobile');
  });

  it('list the features that the worker itself goes by', async () => {
    const { workerApi, server } = await begun();
    const listed = { ok: true, data: { features: ['otp'] } };
    server.on('/api/basicSet/getBasicInfo', () => ({ data: { features: ['otp'] } }));
    expect(await workerApi.accountSettings()).toMatchObject(listed);
    server.on('/api/basicSet/getBasicInfo', () => ({ data: { features: [] } }));
    expect(await workerApi.accountSettings()).toMatchObject(listed);
  });

  it('offer no mobile numbers if the setting cannot be loaded', async () => {
    const { workerApi, server } = await begun();
    server.on('/api/basicSet/getBasicInfo', () => ({ data: {} }));
    expect(await workerApi.accountSettings()).toMatchObject({ ok: true, data: { mobile: false } });
  });
});

describe('lists and pictures for forms', () => {
  it('reads the valid areas, in order', async () => {
    const { workerApi, server } = await begun();
    server.on('/api/default/area_list', () => ({
      data: [
        { id: 1, code: 'HK', global_code: '852', name: 'Hong Kong' },
        { id: '2', code: 'DE', global_code: '+49', name: 'Germany' },
        { id: 3, code: 'XX', global_code: 'none', name: 'Nowhere' },
        null,
      ],
    }));
    expect(await workerApi.api('account.areaList', {})).toEqual({
      ok: true,
      data: [
        { id: 1, code: 'HK', globalCode: '852', name: 'Hong Kong' },
        { id: 2, code: 'DE', globalCode: '49', name: 'Germany' },
      ],
    });
  });

  it('accepts a captcha within the answer, and no address of another picture', async () => {
    const { workerApi, server } = await begun();
    const b64s = 'data:image/png;base64,AAAA';
    server.on('/api/common/captcha', () => ({ data: { id: 'c1', b64s } }));
    expect(await workerApi.api('account.captcha', {})).toEqual({
      ok: true,
      data: { id: 'c1', picture: b64s },
    });
    server.on('/api/common/captcha', () => ({ data: { id: 'c1', b64s: 'https://x.example/p' } }));
    expect(await workerApi.api('account.captcha', {})).toMatchObject({ ok: false });
  });
});

describe('codes', () => {
  it.each([
    ['account.sendEmail', '/api/notify/send_email'],
    ['account.sendSms', '/api/notify/send_sms'],
  ] as const)('are sent by %s', async (call, path) => {
    const worker = await begun();
    worker.server.on(path, () => ({ data: { expires_in: 600, retry_after: 45 }, msg: 'Sent' }));
    const params = { to: '85291234567', area_id: 9, type: 2 };
    expect(await worker.workerApi.api(call, params)).toEqual({
      ok: true,
      data: { data: { retryAfter: 45 }, text: 'Sent' },
    });
    await worker.clock.advance(100);
    expect(JSON.parse(worker.server.to(path)[0]?.body ?? '')).toEqual(params);
    expect(worker.shown.events).toEqual([{ type: 'notice', tone: 'info', text: 'Sent' }]);
  });

  it('may be requested again after 60 s if the server names no time (domain.md#sent-codes)', async () => {
    const { workerApi, server } = await begun();
    server.on('/api/notify/send_email', () => ({ data: null }));
    const sent = workerApi.api('account.sendEmail', { to: 'a@b.example', type: 1 });
    expect(await sent).toMatchObject({ data: { data: { retryAfter: 60 } } });
  });
});

describe('registration and passwords', () => {
  it('sends every field of a registration, form-encoded, and logs in', async () => {
    const worker = await begun();
    const params = {
      type: 'mobile',
      area_id: 9,
      account: '85291234567',
      password: 'a b+c&d=é',
      re_password: 'a b+c&d=é',
      invite_code: 'HOUSE123',
      sms_code: '123456',
      key: '',
      mobile: '91234567',
    } as const;
    const result = await worker.workerApi.register(params);
    expect(result).toMatchObject({ ok: true, data: { id: USER.id } });
    expect(form(worker.server.to('/api/user/register')[0]?.body)).toEqual({
      ...params,
      area_id: '9',
    });
    await worker.clock.advance(100);
    expect(worker.user()).toMatchObject({ id: USER.id });
  });

  it('sets a forgotten password', async () => {
    const { workerApi, server } = await begun();
    server.on('/api/user/forget_password', () => ({ data: null, msg: '' }));
    const params = {
      type: 'email',
      account: 'a@b.example',
      new_password: 'pppppppp',
      secondary_password: 'pppppppp',
      auth_code: '1',
    };
    expect(await workerApi.api('account.forgetPassword', params)).toMatchObject({ ok: true });
    expect(JSON.parse(server.to('/api/user/forget_password')[0]?.body ?? '')).toEqual(params);
  });

  it('changes a password', async () => {
    const { workerApi, server } = await begun();
    server.on('/api/user/amend_password', () => ({ data: null }));
    server.on('/api/basicSet/getBasicInfo', () => ({ data: { features: ['old_password'] } }));
    const params = { type: 'email', old_password: 'o', new_password: 'p', auth_code: '1' };
    await workerApi.api('account.amendPassword', params);
    expect(JSON.parse(server.to('/api/user/amend_password')[0]?.body ?? '')).toEqual(params);
  });
});

describe('the complaint email', () => {
  const elsewhere = 'https://third.example/complaints';

  it('comes from the server', async () => {
    const { workerApi, server } = await begun();
    server.on('/api/common/complaint_email', () => ({ data: { email: 'us@example.com' } }));
    expect(await workerApi.complaintEmail()).toEqual({ ok: true, data: 'us@example.com' });
  });

  it('comes from a third party if the server has none, without data of the user', async () => {
    const { workerApi, server, clock, start } = createAccountWorker();
    start({ complaintUrl: elsewhere });
    await clock.advance(100);
    await workerApi.signIn({ login_type: 'email', account: 'a', password: 'b' });
    server.on('/api/common/complaint_email', () => ({ code: 2, msg: 'None' }));
    server.on(elsewhere, () => ({ raw: { email: 'they@third.example' } }));
    expect(await workerApi.complaintEmail()).toEqual({ ok: true, data: 'they@third.example' });
    const headers = Object.keys(server.to(elsewhere)[0]?.headers ?? {});
    expect(headers).not.toContain('authorization');
    expect(headers).not.toContain('lang');
  });

  it('is a failure if neither has it, shown only by the screen', async () => {
    const worker = await begun();
    worker.server.on('/api/common/complaint_email', () => ({ code: 2, msg: 'None' }));
    expect(await worker.workerApi.complaintEmail()).toMatchObject({ ok: false });
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([]);
  });
});
