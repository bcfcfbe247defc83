import { afterEach, expect, test, vi } from 'vitest';
import type { Frame, GatewayEvent } from '#domain/gateway';
import { link, listRevision, onEvent, pump } from '../../../src/gateway/pump';

afterEach(() => vi.unstubAllGlobals());

/** A worker whose frames, and a screen whose paints, come when the test says so. */
function scripted() {
  const frames: ((frame: Frame) => void)[] = [];
  const paints: (() => void)[] = [];
  let ended = false;
  const done = pump(
    { nextFrame: () => new Promise((resolve) => frames.push(resolve)) },
    () => new Promise<void>((resolve) => paints.push(resolve)),
    () => ended,
  );
  const settled = async () => {
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  return {
    asked: () => frames.length,
    async frame(frame: Frame) {
      frames.at(-1)?.(frame);
      await settled();
    },
    async paint() {
      paints.at(-1)?.();
      await settled();
    },
    async end() {
      ended = true;
      frames.at(-1)?.({});
      await settled();
      paints.at(-1)?.();
      await done;
    },
  };
}

test('the next frame is asked for only once this one is painted', async () => {
  const page = scripted();
  expect(page.asked()).toBe(1);
  await page.frame({ listRevision: 7 });
  expect(listRevision.value).toBe(7);
  expect(page.asked()).toBe(1);
  await page.paint();
  expect(page.asked()).toBe(2);
  await page.end();
});

test('state is there before events are told, and events keep their order', async () => {
  const page = scripted();
  const heard: [string, string][] = [];
  const stop = onEvent((event: GatewayEvent) => heard.push([event.type, link.value.state]));
  await page.frame({
    link: { state: 'stale', marketOffset: 5 },
    events: [{ type: 'new-version' }, { type: 'busy', busy: true }],
  });
  stop();
  expect(heard).toEqual([
    ['new-version', 'stale'],
    ['busy', 'stale'],
  ]);
  await page.end();
});

test('a handler that throws is reported and stops nothing', async () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const page = scripted();
  const stop = onEvent(() => {
    throw new Error('broken screen');
  });
  await page.frame({ events: [{ type: 'new-version' }] });
  stop();
  expect(reported).toHaveBeenCalledOnce();
  await page.paint();
  await page.frame({ listRevision: 99 });
  expect(listRevision.value).toBe(99);
  await page.end();
});
