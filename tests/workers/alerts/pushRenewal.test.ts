import { expect, it } from 'vitest';
import { toDurationMs } from '#domain/core/time';
import type { SavedPush } from '#domain/worker/push';
import { createPushRenewal } from '../../../workers/alerts/pushRenewal';
import { PUSH_KEY, readSavedPush } from '../../../workers/alerts/savedPush';
import { sleep } from '../../../workers/core/sleep';
import { FakeClock } from '../support/fakeClock';
import { MemoryStorage } from '../support/testWorker';

const KEPT: SavedPush = {
  ...{ kinds: ['alerts'], details: true, token: 'anns', language: 'de', key: 'key', untold: false },
  address: 'https://api.example.com/api/notify/push_add',
};

/** A service worker of a browser with the subscription `endpoint`, towards a server that answers so. */
async function browser(answers: (object | 'lost')[], token = 'anns') {
  const clock = new FakeClock();
  const storage = new MemoryStorage();
  await storage.set('token', token);
  await storage.set(PUSH_KEY, KEPT);
  const sent: { at: number; headers: unknown; body: unknown }[] = [];
  const here = { endpoint: 'https://push.example.com/new' };
  /** Another run of the service worker, which remembers nothing. */
  const woken = () =>
    createPushRenewal(
      storage,
      (ms) => sleep(clock, toDurationMs(ms)),
      async () => ({ ...here }),
      async (_address, { headers, body } = {}) => {
        sent.push({ at: clock.now() - begun, headers, body: JSON.parse(String(body)) });
        const answer = answers.shift() ?? 'lost';
        if (answer === 'lost') throw new TypeError('Failed to fetch');
        return new Response(JSON.stringify(answer));
      },
    );
  const begun = clock.now();
  const untold = async () => readSavedPush(await storage.get(PUSH_KEY))?.untold;
  /** Whether the server has been told. */
  const done = async (work: Promise<void>) => {
    const told = work.then(
      () => true,
      () => false,
    );
    await clock.advance(60_000);
    return told;
  };
  return { here, sent, woken, untold, done };
}

it('another subscription is told to the server as the session’s', async () => {
  const { sent, woken, untold, done } = await browser([{ code: 1 }]);
  expect(await done(woken().renew())).toBe(true);
  expect(sent).toEqual([
    {
      at: 0,
      headers: expect.objectContaining({ authorization: 'anns', lang: 'de' }),
      body: { endpoint: 'https://push.example.com/new', kinds: ['alerts'], details: 1 },
    },
  ]);
  expect(await untold()).toBe(false);
});

it('it is told again until the server has taken it, over restarts of the service worker', async () => {
  const { sent, woken, untold, done } = await browser([
    'lost',
    { code: 500 },
    'lost',
    { code: '1' },
  ]);
  expect(await done(woken().renew())).toBe(false);
  expect(sent.map(({ at }) => at)).toEqual([0, 2000, 12_000]);
  expect(await untold()).toBe(true);
  expect(await done(woken().tell())).toBe(true);
  expect(await done(woken().tell())).toBe(true);
  expect(sent).toHaveLength(4);
});

it('a subscription that is replaced while the former one is told is told too', async () => {
  const { here, sent, woken, done } = await browser([{ code: 1 }, { code: 1 }]);
  const worker = woken();
  const first = worker.renew();
  const second = worker.renew();
  here.endpoint = 'https://push.example.com/newer';
  expect(await done(first)).toBe(true);
  expect(await done(second)).toBe(true);
  expect(sent).toHaveLength(2);
  expect(sent.at(-1)?.body).toMatchObject({ endpoint: here.endpoint });
});

it('nothing is told for a session that is over, nor for another user', async () => {
  const over = await browser([{ code: 999 }]);
  expect(await over.done(over.woken().renew())).toBe(true);
  expect(over.sent).toHaveLength(1);
  const other = await browser([], 'bobs');
  expect(await other.done(other.woken().renew())).toBe(true);
  expect(other.sent).toEqual([]);
});
