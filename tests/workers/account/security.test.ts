import { describe, expect, it } from 'vitest';
import { held } from '../support/scriptedHttp';
import { createAccountWorker, DEMO, USER } from './accountWorker';

const form = (body: string | undefined) => Object.fromEntries(new URLSearchParams(body));

async function begun() {
  const worker = createAccountWorker();
  const data = { features: ['otp', 'sessions'] };
  worker.server.on('/api/basicSet/getBasicInfo', () => ({ data }));
  await worker.begin();
  return worker;
}

const LOGIN = { login_type: 'email', account: 'ann@example.com', password: 'secret' } as const;

describe('a second factor', () => {
  it('is requested with a ticket, which is sent back with the code', async () => {
    const { workerApi, server } = await begun();
    server.on('/api/user/loginForU', ({ body }) =>
      form(body)['otp'] === '123456'
        ? { data: { token: 'token', user: USER } }
        : { code: 427, msg: 'Code', data: { ticket: 'T1' } },
    );
    expect(await workerApi.signIn(LOGIN)).toEqual({
      ok: false,
      failure: { kind: 'refused', code: 427, text: 'Code', ticket: 'T1' },
    });
    const second = { ...LOGIN, ticket: 'T1', otp: '123456' };
    expect(await workerApi.signIn(second)).toMatchObject({ ok: true });
    expect(form(server.to('/api/user/loginForU')[1]?.body)).toEqual({
      account: LOGIN.account,
      password: LOGIN.password,
      login_type: 'email',
      ticket: 'T1',
      otp: '123456',
    });
  });

  it('is set up, confirmed and removed, and the user row is updated', async () => {
    const worker = await begun();
    const { workerApi, server } = worker;
    await workerApi.signIn(LOGIN);
    const uri = 'otpauth://totp/Fulcrum:ann?secret=ABC';
    server.on('/api/user/otp_enrol', () => ({ data: { secret: 'ABC', uri } }));
    server.on('/api/user/otp_confirm', () => ({ data: { recovery: ['AAAAA-BBBBB'] } }));
    server.on('/api/user/otp_remove', () => ({ data: null }));
    expect(await workerApi.api('security.otpEnrol', {})).toEqual({
      ok: true,
      data: { data: { secret: 'ABC', uri }, text: '' },
    });
    expect(await workerApi.confirmSecondFactor('123456')).toEqual({
      ok: true,
      data: { data: ['AAAAA-BBBBB'], text: '' },
    });
    await worker.clock.advance(100);
    expect(worker.user()).toMatchObject({ secondFactor: true });
    expect(await workerApi.removeSecondFactor('AAAAA-BBBBB')).toMatchObject({ ok: true });
    await worker.clock.advance(100);
    expect(worker.user()).toMatchObject({ secondFactor: false });
    expect(form(server.to('/api/user/otp_remove')[0]?.body)).toEqual({ otp: 'AAAAA-BBBBB' });
  });

  it('is on where its recovery codes can’t be read', async () => {
    const worker = await begun();
    const { workerApi, server } = worker;
    await workerApi.signIn(LOGIN);
    server.on('/api/user/otp_confirm', () => ({ data: null }));
    expect(await workerApi.confirmSecondFactor('123456')).toEqual({
      ok: true,
      data: { data: [], text: '' },
    });
    await worker.clock.advance(100);
    expect(worker.user()).toMatchObject({ secondFactor: true });
  });

  it('that another tab or device has set up or removed is read when a screen asks', async () => {
    const worker = await begun();
    const { workerApi, server } = worker;
    await workerApi.signIn(LOGIN);
    for (const otp of [1, 0]) {
      server.on('/api/user/info', () => ({ data: { ...USER, otp } }));
      expect(await workerApi.refreshUser()).toMatchObject({ ok: true });
      await worker.clock.advance(100);
      expect(worker.user()).toMatchObject({ id: USER.id, secondFactor: otp === 1 });
    }
  });

  it('stays on where an older answer comes after that which has turned it on', async () => {
    const worker = await begun();
    const { workerApi, server } = worker;
    await workerApi.signIn(LOGIN);
    const late = held();
    server.on('/api/user/info', late.route);
    const asked = workerApi.refreshUser();
    await worker.clock.advance(100);
    server.on('/api/user/otp_confirm', () => ({ data: { recovery: ['AAAAA-BBBBB'] } }));
    await workerApi.confirmSecondFactor('123456');
    late.release({ data: { ...USER, otp: 0 } });
    expect(await asked).toMatchObject({ ok: true });
    await worker.clock.advance(100);
    expect(worker.user()).toMatchObject({ secondFactor: true });
  });

  it('of the former user is not that of the next', async () => {
    const worker = await begun();
    const { workerApi, server } = worker;
    await workerApi.signIn(LOGIN);
    const late = held();
    server.on('/api/user/info', late.route);
    const asked = workerApi.refreshUser();
    await worker.clock.advance(100);
    await workerApi.signInDemo();
    late.release({ data: { ...USER, otp: 1 } });
    await asked;
    await worker.clock.advance(100);
    expect(worker.user()).toMatchObject({ id: DEMO.id });
    expect(worker.user()).not.toHaveProperty('secondFactor');
  });

  it('refuses an address that no authenticator app can read', async () => {
    const { workerApi, server } = await begun();
    server.on('/api/user/otp_enrol', () => ({ data: { secret: 'A', uri: 'javascript:alert(1)' } }));
    expect(await workerApi.api('security.otpEnrol', {})).toMatchObject({ ok: false });
  });
});

describe('a passkey', () => {
  const features = ['passkeys'];
  const response = {
    ...({ id: 'a', rawId: 'a', type: 'public-key' } as const),
    response: { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a', userHandle: 'a' },
  };

  it('logs in by what the browser answers, or leaves everybody out', async () => {
    const worker = createAccountWorker();
    const { workerApi, server } = worker;
    server.on('/api/basicSet/getBasicInfo', () => ({ data: { features } }));
    await worker.begin();
    const options = { challenge: 'c', rpId: 'm.example.com', hints: ['hybrid'] };
    server.on('/api/user/passkey_login_options', () => ({ data: options }));
    // What is not declared reaches the browser.
    expect(await workerApi.api('security.passkeyLoginOptions', {})).toMatchObject({
      ok: true,
      data: { data: options },
    });
    server.on('/api/user/passkey_login', () => ({ code: 2, msg: 'No', data: null }));
    expect(await workerApi.signInWithPasskey({ response })).toMatchObject({ ok: false });
    await worker.clock.advance(100);
    expect(worker.user()).toBeFalsy();
    server.on('/api/user/passkey_login', () => ({ data: { token: 'token', user: USER } }));
    expect(await workerApi.signInWithPasskey({ response })).toMatchObject({ ok: true });
    await worker.clock.advance(100);
    expect(worker.user()).toMatchObject({ email: USER.email });
    expect(JSON.parse(server.to('/api/user/passkey_login')[1]?.body ?? '')).toEqual({ response });
  });

  it('is not made from options that no browser can read', async () => {
    const worker = createAccountWorker();
    const { workerApi, server } = worker;
    server.on('/api/basicSet/getBasicInfo', () => ({ data: { features } }));
    await worker.begin();
    server.on('/api/user/passkey_options', () => ({ data: { challenge: 'not base64!' } }));
    const asked = workerApi.api('security.passkeyOptions', { password: 'secret' });
    expect(await asked).toMatchObject({ ok: false });
  });
});

describe('devices and own data', () => {
  it('are listed, logged out and downloaded', async () => {
    const { workerApi, server } = await begun();
    const created_at = '2026-01-31T08:00:00.000Z';
    server.on('/api/user/sessions', () => ({
      data: [{ id: 1, device: 'Chrome', created_at, used_at: created_at, current: 1 }, { id: 'x' }],
    }));
    server.on('/api/user/session_end', () => ({ data: null }));
    server.on('/api/user/export', () => ({ data: { users: [{ id: 7 }] } }));
    const time = Date.parse(created_at);
    expect(await workerApi.api('security.deviceList', {})).toEqual({
      ok: true,
      data: [{ id: 1, name: 'Chrome', createdAt: time, usedAt: time, current: true }],
    });
    await workerApi.api('security.endSession', { id: 4 });
    await workerApi.api('security.endSession', { others: 1 });
    expect(server.to('/api/user/session_end').map(({ body }) => form(body))).toEqual([
      { id: '4' },
      { others: '1' },
    ]);
    expect(await workerApi.api('security.exportData', { password: 'secret' })).toEqual({
      ok: true,
      data: { data: JSON.stringify({ users: [{ id: 7 }] }, undefined, 2), text: '' },
    });
  });

  it('a closed account is logged out, a refusal is not', async () => {
    const worker = await begun();
    const { workerApi, server } = worker;
    await workerApi.signIn(LOGIN);
    server.on('/api/user/close_account', () => ({ code: 2, msg: 'Money left' }));
    expect(await workerApi.closeAccount('secret')).toMatchObject({ ok: false });
    await worker.clock.advance(100);
    expect(worker.user()).toMatchObject({ id: USER.id });
    server.on('/api/user/close_account', () => ({ data: null }));
    expect(await workerApi.closeAccount('secret')).toMatchObject({ ok: true });
    await worker.clock.advance(100);
    expect(worker.user()).toBeNull();
  });
});
