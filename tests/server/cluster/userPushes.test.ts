import { describe, expect, it } from 'vitest';
import { fromJson, SUBJECTS, toJson } from '../../../server/cluster/bus';
import type { OfEpoch } from '../../../server/cluster/engineBus';
import { EngineBus } from '../../../server/cluster/engineBus';
import { Epochs } from '../../../server/cluster/epochs';
import { UserPushes } from '../../../server/cluster/userPushes';
import type { PrivateMessage } from '../../../server/socket/logins';
import { RecordingLog } from '../market/recordingListener';
import { FakeClock } from '../support/fakeClock';
import { FakeBroker, type FakeBus } from './fakeBus';

const caller = { userId: 7, sessionId: 70, isDemo: true };

/** An engine, and a gateway where its user is logged in. */
async function machines() {
  const broker = new FakeBroker();
  const clock = new FakeClock();
  let atWork: FakeBus | undefined;
  /** In the place of the one before. Returns how it tells of the order with a number. */
  const startEngine = async () => {
    await atWork?.close();
    const bus = broker.connect();
    atWork = bus;
    const epochs = await Epochs.open({ next: async () => 1, bus, clock, log: new RecordingLog() });
    const engine = new EngineBus({
      ...{ bus, clock, epochs, shard: 1, divided: false },
      authenticate: async () => caller,
    });
    engine.start('http://engine');
    return (Id: number) =>
      engine.toUser(7, { type: 'FOREX_TRADE', data: { Id } } as PrivateMessage);
  };
  const tell = await startEngine();
  const gateway = broker.connect();
  const heard: number[] = [];
  const gaps: number[] = [];
  const users = new UserPushes({
    bus: gateway,
    async ask<T>(shard: number, subject: (shard: number) => string, question: unknown) {
      return fromJson<OfEpoch<T>>(await gateway.ask(subject(shard), toJson(question))).value;
    },
    toUser: (_userId, message) => heard.push((message.data as { Id: number }).Id),
    onGap: (userId) => gaps.push(userId),
  });
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await broker.advance(clock);
  };
  const join = users.join(caller);
  return { broker, users, startEngine, tell, settle, join, heard, gaps };
}

const isUser = (subject: string) => subject === SUBJECTS.user(7);

describe('messages about orders that the bus brings', () => {
  it('twice, at once and late, are told once, and nothing is missed', async () => {
    const { broker, tell, settle, heard, gaps } = await machines();
    await settle();
    broker.arrives = () => ['in turn', 'in turn', 'late'];
    for (const id of [1, 2, 3]) tell(id);
    await settle();
    tell(4);
    await settle();
    expect(heard).toEqual([1, 2, 3, 4]);
    expect(gaps).toEqual([]);
  });

  it('late are not told after newer ones: the user fetches what was missed', async () => {
    const { broker, tell, settle, heard, gaps } = await machines();
    await settle();
    tell(1);
    broker.arrives = (subject) => [isUser(subject) ? 'late' : 'in turn'];
    tell(2);
    broker.arrives = () => ['in turn'];
    tell(3);
    tell(4);
    await settle();
    expect(heard).toEqual([1, 3, 4]);
    expect(gaps).toEqual([7]);
  });

  it('are those of an engine that counts anew, for who logs in while an old socket is still closing', async () => {
    const { users, startEngine, tell, settle, heard, gaps } = await machines();
    await settle();
    for (const id of [1, 2, 3]) tell(id);
    await settle();
    const tellAnew = await startEngine();
    users.missed(1);
    const join = users.join(caller);
    await settle();
    await join;
    for (const id of [4, 5]) tellAnew(id);
    await settle();
    expect(heard).toEqual([1, 2, 3, 4, 5]);
    expect(gaps).toEqual([7]);
  });

  it('are heard by a later login, also where the question of an earlier one fails after it', async () => {
    const broker = new FakeBroker();
    const bus = broker.connect();
    const questions: { resolve(last: never): void; reject(error: Error): void }[] = [];
    const heard: PrivateMessage[] = [];
    const users = new UserPushes({
      bus,
      ask: () => new Promise((resolve, reject) => questions.push({ resolve, reject })),
      toUser: (_userId, message) => heard.push(message),
      onGap() {},
    });
    const earlier = users.join(caller);
    users.leave(7);
    const later = users.join(caller);
    questions[1]?.resolve(0 as never);
    await later;
    questions[0]?.reject(new Error('timeout'));
    await expect(earlier).rejects.toThrow('timeout');
    bus.publish(SUBJECTS.user(7), toJson({ sequence: 1, message: 'the first' }));
    broker.deliver();
    expect(heard).toEqual(['the first']);
  });

  it('in another order, and doubled, before the engine has said its number', async () => {
    const { broker, tell, settle, join, heard, gaps } = await machines();
    broker.arrives = (subject) => (isUser(subject) ? ['in turn', 'late'] : ['in turn']);
    tell(1);
    tell(2);
    await settle();
    await join;
    tell(3);
    await settle();
    expect(heard).toEqual([1, 2, 3]);
    expect(gaps).toEqual([]);
  });
});
