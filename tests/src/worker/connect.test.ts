import { expect, it, vi } from 'vitest';
import { connect } from '../../../src/worker/connect';

const { worker } = vi.hoisted(() => ({
  worker: Object.assign(new EventTarget(), { postMessage: vi.fn(), terminate: vi.fn() }),
}));
vi.mock('../../../src/worker/worker', () => ({ worker, workerError: new Promise(() => {}) }));

const show = (persisted: boolean) =>
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));

/** happy-dom has this handler, as Chromium does. */
function removeFreezeHandler(): void {
  let owner: object = document;
  while (!Object.hasOwn(owner, 'onfreeze')) owner = Object.getPrototypeOf(owner);
  Reflect.deleteProperty(owner, 'onfreeze');
}

it('ends the worker of a page that is left where the engine suspends it, and begins anew on Back', () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  removeFreezeHandler();
  connect('en', false);
  show(false);
  expect(reload).not.toHaveBeenCalled();
  dispatchEvent(new Event('pagehide'));
  expect(worker.terminate).toHaveBeenCalledTimes(1);
  show(true);
  expect(reload).toHaveBeenCalledTimes(1);
});
