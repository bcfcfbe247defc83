import { expect, it } from 'vitest';
import { EngineAnnouncer, EngineWatch } from '../../../server/cluster/engineNews';
import { Epochs } from '../../../server/cluster/epochs';
import { RecordingLog } from '../market/recordingListener';
import { FakeClock } from '../support/fakeClock';
import { FakeBroker } from './fakeBus';

/** Two engines and a gateway on one clock. */
async function machines() {
  const broker = new FakeBroker();
  const clock = new FakeClock();
  let epoch = 0;
  const engine = async (shard: number) => {
    const bus = broker.connect();
    const next = async () => ++epoch;
    const epochs = await Epochs.open({ next, bus, clock, log: new RecordingLog() });
    const announcer = new EngineAnnouncer({ bus, clock, epochs, shard, divided: true });
    announcer.start(`http://engine${shard}`);
    return { announcer, bus, epochs };
  };
  const gaps: number[] = [];
  const ended: number[] = [];
  const gateway = broker.connect();
  const answering = new Set<string>();
  const watch = new EngineWatch({
    bus: gateway,
    clock,
    answers: async (url) => answering.has(url),
    onGap: (shard) => gaps.push(shard),
    onSessionEnded: (id) => ended.push(id),
  });
  watch.start();
  const settle = async (ms = 0) => {
    await broker.advance(clock, ms);
    await broker.advance(clock);
  };
  return { broker, engine, gateway, gaps, ended, watch, settle, answering };
}

it('a gateway knows where engines are and which sessions have ended', async () => {
  const { engine, watch, settle, gaps, ended } = await machines();
  expect([watch.addressOf(1), watch.divided]).toEqual([undefined, undefined]);
  const first = await engine(1);
  await engine(2);
  await settle();
  expect([1, 2].map((shard) => watch.addressOf(shard))).toEqual([
    'http://engine1',
    'http://engine2',
  ]);
  expect(watch.divided).toBe(true);
  first.announcer.endSession(7);
  first.announcer.endSession(8);
  await settle(3_000);
  expect(ended).toEqual([7, 8]);
  expect(gaps).toEqual([]);
});

it('a lost word is a gap of its engine alone, found within a second', async () => {
  const { broker, engine, settle, gaps, ended } = await machines();
  const first = await engine(1);
  await engine(2);
  await settle();
  broker.loses = () => true;
  first.announcer.endSession(7);
  await settle();
  broker.loses = () => false;
  await settle(1_100);
  expect(ended).toEqual([]);
  expect(gaps).toEqual([1]);
});

it('the word after a gap ends its sessions, too: a login may be under way', async () => {
  const { broker, engine, settle, gaps, ended } = await machines();
  const first = await engine(1);
  await settle();
  broker.loses = () => true;
  first.announcer.endSession(7);
  await settle();
  broker.loses = () => false;
  first.announcer.endSession(8);
  await settle();
  expect([gaps, ended]).toEqual([[1], [8]]);
});

it('a word that comes twice, at once and late, is heard once, and is no gap', async () => {
  const { broker, engine, settle, gaps, ended } = await machines();
  const first = await engine(1);
  await settle();
  broker.arrives = () => ['in turn', 'in turn', 'late'];
  first.announcer.endSession(7);
  await settle(3_000);
  expect(ended).toEqual([7]);
  expect(gaps).toEqual([]);
});

it('words in another order are a gap', async () => {
  const { broker, engine, settle, gaps } = await machines();
  const first = await engine(1);
  await settle();
  broker.arrives = () => ['late'];
  first.announcer.endSession(7);
  await Promise.resolve();
  broker.arrives = () => ['in turn'];
  first.announcer.endSession(8);
  await settle(1_100);
  expect(gaps).toEqual([1]);
});

it('a connection that broke is a gap of all engines, though no word was lost', async () => {
  const { engine, gateway, settle, gaps } = await machines();
  await engine(1);
  await engine(2);
  await settle();
  gateway.connected = false;
  await settle(100);
  gateway.reconnect();
  await settle(2_000);
  expect(gaps).toEqual([1, 2]);
});

it('of a successor too, and an engine that comes back from a pause is not heard', async () => {
  const { engine, settle, gaps, ended, watch } = await machines();
  const paused = await engine(2);
  await settle();
  await engine(2);
  await settle();
  const { length } = gaps;
  expect(gaps).toEqual([2]);
  const epoch = watch.epochOf(2);
  paused.announcer.endSession(9);
  await settle();
  expect([ended, gaps.length, watch.epochOf(2)]).toEqual([[], length, epoch]);
});

it('an engine that works and is not heard is a gap, once; one that has ended is none', async () => {
  const { broker, engine, settle, gaps, answering } = await machines();
  await engine(1);
  const ending = await engine(2);
  answering.add('http://engine1');
  await settle(10_000);
  expect(gaps).toEqual([]);
  ending.announcer.stop();
  broker.loses = () => true;
  await settle(5_000);
  expect(gaps).toEqual([]);
  await settle(20_000);
  expect(gaps).toEqual([1]);
  // Heard again, it has said what nobody heard.
  broker.loses = () => false;
  await settle(1_100);
  expect(gaps).toEqual([1, 1]);
});
