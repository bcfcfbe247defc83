import { expect, it } from 'vitest';
import { Epochs } from '../../../server/cluster/epochs';
import { RecordingLog } from '../market/recordingListener';
import { FakeClock } from '../support/fakeClock';
import { FakeBroker } from './fakeBus';

it('begins one epoch when its database is back, however often NATS was away meanwhile', async () => {
  const bus = new FakeBroker().connect();
  const clock = new FakeClock();
  let isAway = false;
  let last = 0;
  const next = async () => {
    if (isAway) throw new Error('away');
    return ++last;
  };
  const log = new RecordingLog();
  const epochs = await Epochs.open({ next, bus, clock, log });
  const begun: number[] = [];
  epochs.onBegin((epoch) => begun.push(epoch));
  isAway = true;
  for (let time = 0; time < 5; time++) {
    bus.reconnect();
    await clock.advance(300);
  }
  await clock.advance(5_000);
  isAway = false;
  await clock.advance(5_000);
  expect(begun).toEqual([2]);
  expect(log.warnings).toHaveLength(1);
});

it('begins one epoch when database and NATS come back one after the other', async () => {
  const bus = new FakeBroker().connect();
  const clock = new FakeClock();
  let answer: (() => Promise<number>) | undefined = async () => 1;
  const waiting: ((epoch: number) => void)[] = [];
  const next = () => answer?.() ?? new Promise<number>((resolve) => void waiting.push(resolve));
  const epochs = await Epochs.open({ next, bus, clock, log: new RecordingLog() });
  const begun: number[] = [];
  epochs.onBegin((epoch) => begun.push(epoch));
  answer = () => Promise.reject(new Error('away'));
  await epochs.begin();
  answer = async () => 2;
  await epochs.begin();
  await clock.advance(5_000);
  expect(begun).toEqual([2]);

  answer = undefined;
  const both = [epochs.begin(), epochs.begin()];
  waiting[1]?.(4);
  await both[1];
  waiting[0]?.(3);
  await both[0];
  expect(begun).toEqual([2, 4]);
  expect(epochs.present).toBe(4);
});

it('is begun before anybody is told of it: what they say then is of the new one', async () => {
  let last = 0;
  const next = async () => ++last;
  const bus = new FakeBroker().connect();
  const clock = new FakeClock();
  const epochs = await Epochs.open({ next, bus, clock, log: new RecordingLog() });
  const said: number[] = [];
  epochs.onBegin(() => said.push(epochs.present));
  await epochs.begin();
  expect(said).toEqual([2]);
});
