import { expect, it, vi } from 'vitest';
import { importAll, importOnce } from '../../../workers/core/importOnce';

it('imports once, and again where that failed', async () => {
  const load = vi.fn(async () => 'code').mockRejectedValueOnce(new Error('offline'));
  const code = importOnce(load);
  await expect(code()).rejects.toThrow('offline');
  expect(await Promise.all([code(), code()])).toEqual(['code', 'code']);
  expect(await code()).toBe('code');
  expect(load).toHaveBeenCalledTimes(2);
});

it('imports all, and what these name in turn', async () => {
  const inner = vi.fn(async () => 'inner');
  importOnce(async () => importOnce(inner));
  await importAll();
  expect(inner).toHaveBeenCalledTimes(1);
});
