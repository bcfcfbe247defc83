import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { failed } from '#domain/core/result';

const CODE = '../../../workers/account/calls';
const failure = { kind: 'transport', code: 'ERR_NETWORK' } as const;

beforeEach(() => {
  vi.resetModules();
  vi.doMock(CODE, () => ({
    createAccountCalls() {
      throw new Error('As a file that does not come.');
    },
  }));
});

afterEach(() => {
  vi.doUnmock(CODE);
  vi.resetModules();
});

it('a login whose code does not come is told; a read is not, which its screen shows', async () => {
  const { createAccountWorker } = await import('./accountWorker');
  const { workerApi, clock, shown, begin } = createAccountWorker();
  await begin();
  const failures = async () => {
    await clock.advance(1000);
    return shown.events.filter(({ type }) => type === 'failure');
  };
  expect(await workerApi.accountSettings()).toEqual(failed(failure));
  expect(await workerApi.complaintEmail()).toEqual(failed(failure));
  expect(await failures()).toEqual([]);
  expect(await workerApi.signInDemo()).toEqual(failed(failure));
  expect(await failures()).toEqual([{ type: 'failure', failure }]);
});
