import { describe, expect, it } from 'vitest';
import type { VerificationDraft } from '#domain/gateway/account';
import { held } from '../support/server';
import { MemoryStorage } from '../support/worker';
import { accountRig } from './rig';

const LOGIN = { type: 'email', account: 'ann@example.com', password: 'secret123' } as const;
const KEY = '0b9f1f7e-5d3c-4a55-9d53-6f2a1c0e8b11';
const picture = { bytes: new Uint8Array([1, 2, 3]).buffer, type: 'image/jpeg' };
const draft: VerificationDraft = { name: 'Ann', cardId: 'A1', front: { picture, url: '' } };

async function loggedIn(storage = new MemoryStorage()) {
  const rig = accountRig({ storage });
  await rig.begin();
  await rig.gateway.signIn(LOGIN);
  await rig.clock.advance(100);
  return rig;
}

describe('verification', () => {
  it.each([
    [0, 'none'],
    ['1', 'reviewing'],
    [2, 'verified'],
  ])('of status %j is %s', async (status, read) => {
    const { gateway, server } = await loggedIn();
    server.on('/api/user_real/center', () => ({
      data: {
        review_status: status,
        name: 'Ann',
        card_id: 'A1',
        front_pic: 'https://api.example/front',
        reverse_pic: 'javascript:alert(1)',
      },
    }));
    expect(await gateway.verification()).toEqual({
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

  it('of a status that is none is a broken answer', async () => {
    const { gateway, server } = await loggedIn();
    server.on('/api/user_real/center', () => ({ data: { review_status: 7 } }));
    expect(await gateway.verification()).toMatchObject({ ok: false });
  });

  it('is sent once, with the key of the tap, over a lost answer; then the draft is forgotten', async () => {
    const rig = await loggedIn();
    await rig.gateway.saveVerificationDraft(draft);
    let tries = 0;
    rig.server.on('/api/user_real/real_name', () =>
      ++tries === 1 ? { fault: 'ERR_NETWORK' } : { data: null },
    );
    const form = { name: 'Ann', cardId: 'A1', front: 'https://f', reverse: 'https://r' };
    const sent = rig.gateway.submitVerification(form, KEY);
    // The code of the call comes by itself, not by the clock.
    await expect
      .poll(async () => {
        await rig.clock.advance(2000);
        return tries;
      })
      .toBe(2);
    expect((await sent).ok).toBe(true);
    const asked = rig.server.to('/api/user_real/real_name');
    expect(asked.map(({ headers }) => headers['idempotency-key'])).toEqual([KEY, KEY]);
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      name: 'Ann',
      card_id: 'A1',
      front_pic: 'https://f',
      reverse_pic: 'https://r',
    });
    expect(await rig.gateway.verificationDraft()).toBeUndefined();
  });
});

describe('a draft', () => {
  it('survives a reload, photos and all', async () => {
    const storage = new MemoryStorage();
    await (await loggedIn(storage)).gateway.saveVerificationDraft(draft);
    const next = accountRig({ storage });
    await next.begin();
    expect(await next.gateway.verificationDraft()).toEqual(draft);
  });

  it('is gone with its user', async () => {
    const rig = await loggedIn();
    await rig.gateway.saveVerificationDraft(draft);
    await rig.gateway.signOut();
    await rig.clock.advance(100);
    expect(rig.storage.values.has('verification-draft')).toBe(false);
  });

  it('is nobody else’s', async () => {
    const rig = await loggedIn();
    await rig.gateway.saveVerificationDraft(draft);
    await rig.gateway.signInDemo();
    await rig.clock.advance(100);
    expect(await rig.gateway.verificationDraft()).toBeUndefined();
    expect(rig.storage.values.has('verification-draft')).toBe(false);
  });

  it('of a visitor is not kept', async () => {
    const rig = accountRig();
    await rig.begin();
    await rig.gateway.saveVerificationDraft(draft);
    expect(rig.storage.values.has('verification-draft')).toBe(false);
  });

  it.each([null, 'text', { userId: 7 }, { userId: '7', draft }])(
    'that is none of ours, %j, is none',
    async (stored) => {
      const storage = new MemoryStorage();
      await storage.set('token', 'token');
      await storage.set('verification-draft', stored);
      const rig = accountRig({ storage });
      await rig.begin();
      expect(await rig.gateway.verificationDraft()).toBeUndefined();
    },
  );
});

describe('an upload', () => {
  it('is named in frames while it is under way, and resolves to its address', async () => {
    const rig = await loggedIn();
    const upload = held();
    rig.server.on('/api/common/image_upload', upload.route);
    const sent = rig.gateway.uploadPicture(picture, 'front');
    await expect.poll(() => upload.waiting()).toBe(1);
    await rig.clock.advance(100);
    expect(rig.shown.frames.findLast(({ uploads }) => uploads)?.uploads).toEqual({ front: 0 });
    upload.release({ data: { url: 'https://api.example/p1' } });
    expect(await sent).toEqual({ ok: true, data: 'https://api.example/p1' });
    await rig.clock.advance(100);
    expect(rig.shown.frames.findLast(({ uploads }) => uploads)?.uploads).toEqual({});
  });

  it('that is replaced or cancelled fails as cancelled, and nobody is told', async () => {
    const rig = await loggedIn();
    const upload = held();
    rig.server.on('/api/common/image_upload', upload.route);
    const first = rig.gateway.uploadPicture(picture, 'front');
    await expect.poll(() => upload.waiting()).toBe(1);
    const second = rig.gateway.uploadPicture(picture, 'front');
    expect(await first).toEqual({ ok: false, failure: { kind: 'cancelled' } });
    await expect.poll(() => upload.waiting()).toBe(2);
    rig.gateway.cancelUpload('front');
    expect(await second).toEqual({ ok: false, failure: { kind: 'cancelled' } });
    await rig.clock.advance(100);
    expect(rig.shown.events).toEqual([]);
  });

  it('ends with its user', async () => {
    const rig = await loggedIn();
    const upload = held();
    rig.server.on('/api/common/image_upload', upload.route);
    const sent = rig.gateway.uploadPicture(picture, 'front');
    await expect.poll(() => upload.waiting()).toBe(1);
    await rig.gateway.signOut();
    expect(await sent).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  });
});
