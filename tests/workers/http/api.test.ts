import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { failed } from '#domain/core/result';
import type { AskOptions, WorkerEvent } from '#domain/worker/workerApi';
import type { Asking } from '../../../workers/http/ask';

const CODE = '../../../workers/http/ask';
const failure = { kind: 'transport', code: 'ERR_NETWORK' } as const;
const told = { type: 'failure', failure };

beforeEach(() => {
  vi.resetModules();
  vi.doMock(CODE, () => ({
    createAsk() {
      throw new Error('As a file that does not come.');
    },
  }));
});

afterEach(() => {
  vi.doUnmock(CODE);
  vi.resetModules();
});

it.each<[call: string, name: string, options: AskOptions, events: object[]]>([
  ['a change', 'user.openDemo', {}, [told]],
  ['a change that nobody waits for', 'user.logout', { quiet: true }, []],
  ['a read, which its screen shows', 'user.userInfo', {}, []],
  ['what is not declared', 'user.strangersCall', {}, [told]],
])('the failure of %s whose code does not come', async (_, name, options, told) => {
  const { createApi } = await import('../../../workers/http/api');
  const events: WorkerEvent[] = [];
  const api = createApi({ emit: (event: WorkerEvent) => events.push(event) } as unknown as Asking);
  expect(await api(name as never, {} as never, options)).toEqual(failed(failure));
  expect(events).toEqual(told);
});
