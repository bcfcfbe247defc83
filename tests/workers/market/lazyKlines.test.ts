import { afterEach, expect, test, vi } from 'vitest';
import type { CandlesKey } from '#domain/market/candles';

const KEY: CandlesKey = { instrumentId: 1, period: '5min' };
const options = {} as Parameters<
  typeof import('../../../workers/market/lazyKlines').createLazyKlines
>[0];

afterEach(() => {
  vi.resetModules();
  vi.doUnmock('../../../workers/market/klines');
});

function fakeKlines() {
  const heard: string[] = [];
  const createKlines = () => ({
    watch: ({ add, remove }: { add: CandlesKey[]; remove: CandlesKey[] }) =>
      heard.push(`+${add.length} -${remove.length}`),
    loadOlder: async () => ({ ok: true, data: undefined }),
    reload: () => heard.push('reload'),
    connected: () => heard.push('connected'),
  });
  return { heard, createKlines };
}

test('what is watched before the code is there is watched in order once it is', async () => {
  const { heard, createKlines } = fakeKlines();
  vi.doMock('../../../workers/market/klines', () => ({ createKlines }));
  const { createLazyKlines } = await import('../../../workers/market/lazyKlines');
  const klines = createLazyKlines(options);
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
  vi.doMock('../../../workers/market/klines', () => {
    throw new Error('no network');
  });
  const { createLazyKlines } = await import('../../../workers/market/lazyKlines');
  const klines = createLazyKlines(options);
  klines.watch({ add: [KEY], remove: [] });
  expect(await klines.loadOlder(KEY)).toEqual({
    ok: false,
    failure: { kind: 'transport', code: 'ERR_NETWORK' },
  });
  const { heard, createKlines } = fakeKlines();
  vi.doMock('../../../workers/market/klines', () => ({ createKlines }));
  klines.connected?.();
  await vi.waitFor(() => expect(heard).toEqual(['+1 -0']));
});
