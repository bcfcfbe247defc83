import { afterEach, expect, it, vi } from 'vitest';

const { exposed } = vi.hoisted(() => ({ exposed: vi.fn() }));
vi.mock('comlink', () => ({ expose: exposed }));
vi.mock('../../workers/workerApi', () => ({ createWorkerApi: () => ({}) }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
  exposed.mockClear();
  Reflect.deleteProperty(globalThis, 'isEvaluated');
});

it('client.worker serves the page where the browser refuses its channel to other tabs', async () => {
  vi.stubGlobal('navigator', {});
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        throw new DOMException('', 'SecurityError');
      }
    },
  );
  await import('../../workers/client.worker');
  expect(exposed).toHaveBeenCalledTimes(1);
});

it.each([
  ['client', '', () => import('../../workers/client.worker')],
  ['speedTest', '{}', () => import('../../workers/speedTest.worker')],
])(
  '%s.worker serves the page once, also where the browser evaluates its file again for its chunks',
  async (_, name, load) => {
    vi.stubGlobal('self', { name });
    vi.stubGlobal('navigator', {});
    await load();
    vi.resetModules();
    await load();
    expect(exposed).toHaveBeenCalledTimes(1);
  },
);
