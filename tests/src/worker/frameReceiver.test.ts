import { expect, test, vi } from 'vitest';
import { toDurationMs } from '#domain/core/time';
import {
  FRAMES_PER_ACK,
  type Frame,
  type FramePort,
  type WorkerEvent,
} from '#domain/worker/workerApi';
import {
  connectionState,
  listRevision,
  onEvent,
  receiveFrames,
} from '../../../src/worker/frameReceiver';

/** A fake worker that sends frames when the test says so. */
function scripted() {
  const acknowledged: number[] = [];
  const port: FramePort<number, Frame> = {
    onmessage: null,
    postMessage: (count) => acknowledged.push(count),
  };
  receiveFrames(port);
  return {
    acknowledged,
    frame: (frame: Frame) => port.onmessage?.({ data: frame }),
  };
}

test('applied frames are acknowledged, several at a time', () => {
  const page = scripted();
  for (let i = 1; i <= FRAMES_PER_ACK; i++) {
    expect(page.acknowledged).toEqual([]);
    page.frame({ listRevision: i });
    expect(listRevision.value).toBe(i);
  }
  expect(page.acknowledged).toEqual([FRAMES_PER_ACK]);
});

test('state is applied before events are handled, and events keep their order', () => {
  const page = scripted();
  const received: [string, string][] = [];
  const stop = onEvent((event: WorkerEvent) =>
    received.push([event.type, connectionState.value.state]),
  );
  page.frame({
    connection: { state: 'stale', marketOffset: toDurationMs(5) },
    events: [
      { type: 'new-version', version: '2', required: false },
      { type: 'busy', busy: true },
    ],
  });
  stop();
  expect(received).toEqual([
    ['new-version', 'stale'],
    ['busy', 'stale'],
  ]);
});

test('a handler that throws is reported, and the others run', async () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const page = scripted();
  const stop = onEvent(() => {
    throw new Error('broken screen');
  });
  page.frame({ events: [{ type: 'new-version', version: '2', required: false }] });
  stop();
  expect(reported).toHaveBeenCalledOnce();
  page.frame({ listRevision: 99 });
  expect(listRevision.value).toBe(99);
});
