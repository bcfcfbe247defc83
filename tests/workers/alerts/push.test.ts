import { expect, it } from 'vitest';
import { PUSH_KEY, readSavedPush } from '../../../workers/alerts/savedPush';
import { TestServer } from '../support/testServer';
import { createTestWorker, instrumentRow, MemoryStorage } from '../support/testWorker';

const ROWS = [instrumentRow(1, 'EURUSD')];
const KEY = `B${'A'.repeat(86)}`;
const SUBSCRIPTION = {
  endpoint: 'https://push.example.com/a',
  keys: { p256dh: KEY, auth: 'A'.repeat(22) },
};

async function begun(features: string[]) {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const worker = createTestWorker(ROWS, { storage });
  new TestServer(worker, ROWS);
  worker.server.on('/api/basicSet/getBasicInfo', () => ({ data: { features } }));
  worker.start();
  await worker.clock.advance(5000);
  const kept = async () => readSavedPush(await storage.get(PUSH_KEY));
  return { worker, kept };
}

it('asks a server for its key only where it sends messages', async () => {
  const { worker } = await begun(['alerts']);
  expect(await worker.workerApi.pushKey()).toEqual({ ok: true, data: undefined });
  const { worker: other } = await begun(['alerts', 'push']);
  other.server.on('/api/notify/push_key', () => ({ data: { key: KEY } }));
  expect(await other.workerApi.pushKey()).toEqual({ ok: true, data: KEY });
});

it('takes no key that is none', async () => {
  const { worker } = await begun(['push']);
  worker.server.on('/api/notify/push_key', () => ({ data: { key: 'A'.repeat(87) } }));
  expect(await worker.workerApi.pushKey()).toMatchObject({ ok: false });
});

it('adds the browser, and keeps for the service worker what it needs, until the logout', async () => {
  const { worker, kept } = await begun(['push']);
  const sent: unknown[] = [];
  worker.server.on('/api/notify/push_add', ({ body }) => {
    sent.push(JSON.parse(body));
    return { data: null };
  });
  const choice = { kinds: ['alerts', 'margin'] as ('alerts' | 'margin')[], details: true };
  expect(await worker.workerApi.addPush(SUBSCRIPTION, choice, KEY)).toMatchObject({ ok: true });
  expect(sent).toEqual([{ ...SUBSCRIPTION, kinds: ['alerts', 'margin'], details: 1 }]);
  expect(await kept()).toMatchObject({ ...choice, key: KEY, language: 'en' });
  expect((await kept())?.address).toMatch(/\/api\/notify\/push_add$/);
  worker.server.on('/api/user/logout', () => ({ data: null }));
  await worker.workerApi.signOut();
  await worker.clock.advance(0);
  expect(await kept()).toBeUndefined();
});

it('does not lead to the login, nor show a failure, because of a call that nobody has asked for', async () => {
  const { worker } = await begun(['push']);
  worker.server.on('/api/notify/push_add', () => ({ code: 2, msg: 'no', data: null }));
  const choice = { kinds: [], details: false };
  expect(await worker.workerApi.addPush(SUBSCRIPTION, choice, KEY)).toMatchObject({ ok: false });
  await worker.clock.advance(1000);
  expect(worker.shown.events.filter(({ type }) => type === 'notice')).toEqual([]);
});
