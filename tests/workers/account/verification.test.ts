import { describe, expect, it } from 'vitest';
import type { VerificationDraft } from '#domain/worker/account';
import { UNREAD } from '../../../workers/core/ports';
import { held } from '../support/scriptedHttp';
import { ScriptedTabs } from '../support/scriptedTabs';
import { MemoryStorage } from '../support/testWorker';
import { createAccountWorker, USER } from './accountWorker';

const LOGIN = { login_type: 'email', account: 'ann@example.com', password: 'secret123' } as const;
const KEY = '0b9f1f7e-5d3c-4a55-9d53-6f2a1c0e8b11';
const OTHER_KEY = '0b9f1f7e-5d3c-4a55-9d53-6f2a1c0e8b12';
const SUBMISSION = '/api/user_real/real_name';
const FORM = { name: 'Ann', card_id: 'A1', front_pic: 'https://f', reverse_pic: 'https://r' };
const picture = { bytes: new Uint8Array([1, 2, 3]).buffer, type: 'image/jpeg' };
const draft: VerificationDraft = { name: 'Ann', cardId: 'A1', front: { picture, url: '' } };

async function loggedIn(storage = new MemoryStorage(), tabs = new ScriptedTabs()) {
  const worker = createAccountWorker({ storage, tabs });
  await worker.begin();
  await worker.workerApi.signIn(LOGIN);
  await worker.clock.advance(100);
  return worker;
}

describe('verification', () => {
  it.each([
    [0, 'none'],
    ['1', 'reviewing'],
    [2, 'verified'],
  ])('of status %j is %s', async (status, read) => {
    const { workerApi, server } = await loggedIn();
    server.on('/api/user_real/center', () => ({
      data: {
        review_status: status,
        name: 'Ann',
        card_id: 'A1',
        front_pic: 'https://api.example/front',
        reverse_pic: 'javascript:alert(1)',
      },
    }));
    expect(await workerApi.api('account.verificationCenter', {})).toEqual({
      ok: true,
      data: {
        status: read,
        name: 'Ann',
        cardId: 'A1',
        front: 'https://api.example/front',
        reverse: '',
        reason: '',
      },
    });
  });

  it('of an unknown status is a broken answer', async () => {
    const { workerApi, server } = await loggedIn();
    server.on('/api/user_real/center', () => ({ data: { review_status: 7 } }));
    expect(await workerApi.api('account.verificationCenter', {})).toMatchObject({ ok: false });
  });

  it('is sent with one key after a lost answer', async () => {
    const worker = await loggedIn();
    let tries = 0;
    worker.server.on(SUBMISSION, () => (++tries === 1 ? { fault: 'ERR_NETWORK' } : { data: null }));
    const sent = worker.workerApi.api('account.submitVerification', FORM, { key: KEY });
    // The code of the call is loaded by a real import, which the fake clock does not drive.
    await expect
      .poll(async () => {
        await worker.clock.advance(2000);
        return tries;
      })
      .toBe(2);
    expect((await sent).ok).toBe(true);
    const asked = worker.server.to(SUBMISSION);
    expect(asked.map(({ headers }) => headers['idempotency-key'])).toEqual([KEY, KEY]);
    const { valid_until: _, ...sentForm } = JSON.parse(asked[0]?.body ?? '');
    expect(sentForm).toEqual(FORM);
  });
});

describe('a draft', () => {
  it('survives a reload, photos included', async () => {
    const storage = new MemoryStorage();
    await (await loggedIn(storage)).workerApi.saveVerificationDraft(draft);
    const next = createAccountWorker({ storage });
    await next.begin();
    expect(await next.workerApi.verificationDraft()).toEqual(draft);
  });

  it('is deleted once its submission is known to be done, whatever its form still saves', async () => {
    const { workerApi, server, storage } = await loggedIn();
    await workerApi.saveVerificationDraft(draft);
    server.on(SUBMISSION, () => ({ code: 2, msg: 'Refused' }));
    expect((await workerApi.api('account.submitVerification', FORM, { key: KEY })).ok).toBe(false);
    expect(await workerApi.verificationDraft()).toEqual(draft);
    server.on(SUBMISSION, () => ({ data: null }));
    expect((await workerApi.api('account.submitVerification', FORM, { key: OTHER_KEY })).ok).toBe(
      true,
    );
    await workerApi.saveVerificationDraft(draft);
    expect(storage.values.has('verification-draft')).toBe(false);
    await workerApi.verificationDraft();
    await workerApi.saveVerificationDraft(draft);
    expect(await workerApi.verificationDraft()).toEqual(draft);
  });

  it('is deleted by the next visit where the page is gone before the answer', async () => {
    const storage = new MemoryStorage();
    const tabs = new ScriptedTabs();
    const first = await loggedIn(storage, tabs);
    await first.workerApi.saveVerificationDraft(draft);
    first.server.on(SUBMISSION, () => ({ fault: 'ERR_NETWORK' }));
    void first.workerApi.api('account.submitVerification', FORM, { key: KEY });
    await expect
      .poll(async () => {
        await first.clock.advance(100);
        return first.server.to(SUBMISSION).length;
      })
      .toBe(1);
    tabs.end(1);
    const next = createAccountWorker({ storage, tabs });
    next.server.on(SUBMISSION, () => ({ data: null }));
    await next.begin();
    await expect
      .poll(async () => {
        await next.clock.advance(1000);
        return storage.values.has('verification-draft');
      })
      .toBe(false);
    expect(next.server.to(SUBMISSION)[0]?.headers['idempotency-key']).toBe(KEY);
  });

  it('is deleted with its user', async () => {
    const worker = await loggedIn();
    await worker.workerApi.saveVerificationDraft(draft);
    await worker.workerApi.signOut();
    await worker.clock.advance(100);
    expect(worker.storage.values.has('verification-draft')).toBe(false);
  });

  it('is not shown to another user', async () => {
    const worker = await loggedIn();
    await worker.workerApi.saveVerificationDraft(draft);
    await worker.workerApi.signInDemo();
    await worker.clock.advance(100);
    expect(await worker.workerApi.verificationDraft()).toBeUndefined();
    expect(worker.storage.values.has('verification-draft')).toBe(false);
  });

  it('that could not be read loses only what the form has entered since', async () => {
    const { storage, workerApi } = await loggedIn();
    await workerApi.saveVerificationDraft(draft);
    const { get } = storage;
    storage.get = async (key) => (key === 'verification-draft' ? UNREAD : get(key));
    expect(await workerApi.verificationDraft()).toBeUndefined();
    await workerApi.saveVerificationDraft({ name: 'Anna', cardId: '' });
    storage.get = get;
    expect(await get('verification-draft')).toMatchObject({ draft });
    for (const name of ['Anna', 'Anna B'])
      await workerApi.saveVerificationDraft({ name, cardId: '' });
    expect(await workerApi.verificationDraft()).toEqual({ ...draft, name: 'Anna B' });
  });

  it.each([
    ['stays where the update finds the same one', USER.id, draft],
    ['is removed where it finds another one', USER.id + 1, undefined],
  ])('that was stored by its user, as versions did before, %s', async (_, userId, found) => {
    const storage = new MemoryStorage();
    await storage.set('token', 'token');
    await storage.set('verification-draft', { userId, draft });
    const worker = createAccountWorker({ storage });
    await worker.begin();
    expect(await worker.workerApi.verificationDraft()).toEqual(found);
    expect(storage.values.has('verification-draft')).toBe(found !== undefined);
  });

  it('of a visitor is not saved', async () => {
    const worker = createAccountWorker();
    await worker.begin();
    await worker.workerApi.saveVerificationDraft(draft);
    expect(worker.storage.values.has('verification-draft')).toBe(false);
  });

  it.each([null, 'text', { token: 'token' }, { token: 7, draft }])(
    'that is invalid, %j, is ignored',
    async (stored) => {
      const storage = new MemoryStorage();
      await storage.set('token', 'token');
      await storage.set('verification-draft', stored);
      const worker = createAccountWorker({ storage });
      await worker.begin();
      expect(await worker.workerApi.verificationDraft()).toBeUndefined();
    },
  );
});

describe('an upload', () => {
  it('is shown in frames while it runs, and resolves to its address', async () => {
    const worker = await loggedIn();
    const upload = held();
    worker.server.on('/api/common/image_upload', upload.route);
    const sent = worker.workerApi.uploadPicture(picture, 'front');
    await expect.poll(() => upload.waiting()).toBe(1);
    await worker.clock.advance(100);
    expect(worker.shown.frames.findLast(({ uploads }) => uploads)?.uploads).toEqual({ front: 0 });
    upload.release({ data: { url: 'https://api.example/p1' } });
    expect(await sent).toEqual({ ok: true, data: 'https://api.example/p1' });
    await worker.clock.advance(100);
    expect(worker.shown.frames.findLast(({ uploads }) => uploads)?.uploads).toEqual({});
  });

  it('that is replaced or cancelled fails as cancelled, without a notice', async () => {
    const worker = await loggedIn();
    const upload = held();
    worker.server.on('/api/common/image_upload', upload.route);
    const first = worker.workerApi.uploadPicture(picture, 'front');
    await expect.poll(() => upload.waiting()).toBe(1);
    const second = worker.workerApi.uploadPicture(picture, 'front');
    expect(await first).toEqual({ ok: false, failure: { kind: 'cancelled' } });
    await expect.poll(() => upload.waiting()).toBe(2);
    worker.workerApi.cancelUpload('front');
    expect(await second).toEqual({ ok: false, failure: { kind: 'cancelled' } });
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([]);
  });

  it('ends with its user', async () => {
    const worker = await loggedIn();
    const upload = held();
    worker.server.on('/api/common/image_upload', upload.route);
    const sent = worker.workerApi.uploadPicture(picture, 'front');
    await expect.poll(() => upload.waiting()).toBe(1);
    await worker.workerApi.signOut();
    expect(await sent).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  });
});
