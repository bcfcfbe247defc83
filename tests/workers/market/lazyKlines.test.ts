import { afterEach, expect, test, vi } from 'vitest';
import { success } from '#domain/core/result';
import type { CandlesKey } from '#domain/market/candles';

const KEY: CandlesKey = { instrumentId: 1, period: '5min' };
const options = {} as Parameters<
  typeof import('../../../workers/market/lazyKlines').createLazyKlines
>[0];

afterEach(() => {
  vi.resetModules();
});

function fakeKlines() {
  const heard: string[] = [];
  const createKlines: typeof import('../../../workers/market/klines').createKlines = () => ({
    watch: ({ add, remove }: { add: CandlesKey[]; remove: CandlesKey[] }) =>
      heard.push(`+${add.length} -${remove.length}`),
    loadOlder: async () => success(undefined),
    reload: () => heard.push('reload'),
    connected: () => heard.push('connected'),
  });
  return { heard, createKlines };
}

test('what is watched before the code is there is watched in order once it is', async () => {
  const { heard, createKlines } = fakeKlines();
  const { createLazyKlines } = await import('../../../workers/market/lazyKlines');
  const klines = createLazyKlines(options, async () => ({ createKlines }));
  klines.connected?.();
  klines.watch({ add: [KEY, KEY], remove: [] });
  klines.watch({ add: [], remove: [KEY] });
  expect(heard).toEqual([]);
  await vi.waitFor(() => expect(heard).toEqual(['+2 -0', '+0 -1']));
  klines.connected?.();
  klines.reload(KEY);
  expect(heard.slice(2)).toEqual(['connected', 'reload']);
});

test('where the code can not be loaded, older bars fail, and the next connection tries again', async () => {
  const { heard, createKlines } = fakeKlines();
  let online = false;
  const { createLazyKlines } = await import('../../../workers/market/lazyKlines');
  const klines = createLazyKlines(options, async () => {
    if (!online) throw new Error('no network');
    return { createKlines };
  });
  klines.watch({ add: [KEY], remove: [] });
  expect(await klines.loadOlder(KEY)).toEqual({
    ok: false,
    failure: { kind: 'transport', code: 'ERR_NETWORK' },
  });
  online = true;
  klines.connected?.();
  await vi.waitFor(() => expect(heard).toEqual(['+1 -0']));
});
