import { beforeEach, expect, it } from 'vitest';
import { createShownNotifications } from '../../../workers/offline/shownNotifications';

/** The part of the browser's caches that is used; addresses are kept in the order in which they were put. */
function memoryCaches(): CacheStorage {
  const entries = new Map<string, string>();
  const cache = {
    async match(address: string) {
      const text = entries.get(address);
      return text === undefined ? undefined : new Response(text);
    },
    async put(address: string, response: Response) {
      if (isFull) throw new DOMException('no room', 'QuotaExceededError');
      entries.set(address, await response.text());
    },
    delete: async (address: string) => entries.delete(address),
    keys: async () => [...entries.keys()],
  };
  return { open: async () => cache } as unknown as CacheStorage;
}

let isFull = false;
let now: number;
let caches: CacheStorage;
beforeEach(() => {
  now = 1_000_000;
  caches = memoryCaches();
  isFull = false;
});
/** As a service worker that was started anew. */
const add = (id: string) => createShownNotifications(caches, () => now).add(id);

it('says of each id once that it is new, over restarts too', async () => {
  expect(await add('alert-7-1769846400000')).toBe(true);
  expect(await add('alert-7-1769846400000')).toBe(false);
  expect(await add('alert-7-1769846460000')).toBe(true);
  now += 86_400_000;
  expect(await add('alert-7-1769846400000')).toBe(false);
});

it('lets a margin warning come again after five minutes', async () => {
  expect(await add('margin-low')).toBe(true);
  now += 299_000;
  expect(await add('margin-low')).toBe(false);
  expect(await add('margin-critical')).toBe(true);
  now += 2_000;
  expect(await add('margin-low')).toBe(true);
});

it('drops no margin warning after the clock was set back', async () => {
  expect(await add('margin-low')).toBe(true);
  now -= 3_600_000;
  expect(await add('margin-low')).toBe(true);
  expect(await add('margin-low')).toBe(false);
});

it('forgets the oldest of more than two hundred', async () => {
  for (let i = 0; i <= 200; i++) await add(`order-${i}`);
  expect(await add('order-200')).toBe(false);
  expect(await add('order-1')).toBe(false);
  expect(await add('order-0')).toBe(true);
});

it('takes each for new on a full device: twice is better than never', async () => {
  expect(await add('order-1')).toBe(true);
  isFull = true;
  expect(await add('order-1')).toBe(false);
  expect(await add('order-2')).toBe(true);
  expect(await add('order-2')).toBe(true);
});
