import { expect, test } from 'vitest';
import { success } from '#domain/core/result';
import type { CandlesKey } from '#domain/market/candles';
import { once } from '../../../workers/core/importOnce';
import { createLazyKlines } from '../../../workers/market/lazyKlines';
import { eventually } from '../../helpers/eventually';

const KEY: CandlesKey = { instrumentId: 1, period: '5min' };
const options = {} as Parameters<typeof createLazyKlines>[0];

function fakeKlines() {
  const calls: string[] = [];
  const createKlines: typeof import('../../../workers/market/klines').createKlines = () => ({
    watch: ({ candles, indicators }) =>
      calls.push(
        indicators
          ? `indicators ${indicators.specs.length}`
          : `+${candles?.add.length} -${candles?.remove.length}`,
      ),
    follow: () => calls.push('follow'),
    collect: () => [],
    loadOlder: async () => success(undefined),
    reload: () => calls.push('reload'),
    poll: () => calls.push('poll'),
    connected: () => calls.push('connected'),
  });
  return { calls, createKlines };
}

test('charts that are watched before the code is loaded are watched in order afterwards', async () => {
  const { calls, createKlines } = fakeKlines();
  const klines = createLazyKlines(
    options,
    once(async () => ({ createKlines })),
  );
  klines.connected?.();
  klines.watch({ candles: { add: [KEY, KEY], remove: [] } });
  klines.watch({ indicators: { key: KEY, specs: [] } });
  klines.watch({ candles: { add: [], remove: [KEY] } });
  expect(calls).toEqual([]);
  await eventually(() => expect(calls).toEqual(['+2 -0', 'indicators 0', '+0 -1']));
  klines.connected?.();
  klines.reload(KEY);
  expect(calls.slice(3)).toEqual(['connected', 'reload']);
});

test('when the code cannot be loaded, older bars fail, and the next connection tries again', async () => {
  const { calls, createKlines } = fakeKlines();
  let online = false;
  const klines = createLazyKlines(
    options,
    once(async () => {
      if (!online) throw new Error('no network');
      return { createKlines };
    }),
  );
  klines.watch({ candles: { add: [KEY], remove: [] } });
  expect(await klines.loadOlder(KEY)).toEqual({
    ok: false,
    failure: { kind: 'transport', code: 'ERR_NETWORK' },
  });
  online = true;
  klines.connected?.();
  await eventually(() => expect(calls).toEqual(['+1 -0']));
});
