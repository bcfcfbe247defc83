import { expect, it, vi } from 'vitest';
import { importOnce } from '../../../workers/core/importOnce';

it('imports once, and again where that failed', async () => {
  const load = vi.fn(async () => 'code').mockRejectedValueOnce(new Error('offline'));
  const code = importOnce(load);
  await expect(code()).rejects.toThrow('offline');
  expect(await Promise.all([code(), code()])).toEqual(['code', 'code']);
  expect(await code()).toBe('code');
  expect(load).toHaveBeenCalledTimes(2);
});
