import { expect, it } from 'vitest';
import { answeringWhile, fromJson, SUBJECTS, toJson } from '../../../server/cluster/bus';
import { Epochs } from '../../../server/cluster/epochs';
import { MarketServer } from '../../../server/cluster/marketServer';
import type { Db } from '../../../server/db/database';
import { HaltableMarket } from '../../../server/market/halts/haltableMarket';
import { RecordingLog } from '../market/recordingListener';
import { FakeClock } from '../support/fakeClock';
import { instrument, ScriptedMarket } from '../support/scriptedMarket';
import { FakeBroker } from './fakeBus';

const NO_HALTS = { select: () => ({ from: async () => [] }) } as unknown as Db;
const clock = new FakeClock();

/** A feed of this epoch, with this price. */
async function serve(broker: FakeBroker, epoch: number, price: number) {
  const bus = broker.connect();
  const epochs = await Epochs.open({
    ...{ bus, clock, log: new RecordingLog() },
    next: async () => epoch,
  });
  const inner = new ScriptedMarket([instrument(1, 'EURUSD')]);
  const market = new HaltableMarket(inner, NO_HALTS);
  new MarketServer({ bus, market, clock, epochs }).start();
  await inner.tick([1, price]);
}

it('leaves past prices to the feed at work, of which the reader knows', async () => {
  const broker = new FakeBroker();
  await serve(broker, 1, 1.1);
  await serve(broker, 2, 2.2);
  const reader = broker.connect();
  const closes = async (known: object) => {
    const question = { instrumentId: 1, period: '1min', limit: 1, ...known };
    const answer = reader.ask(SUBJECTS.bars, toJson(question));
    await broker.advance(clock);
    return fromJson<{ close: number }[]>(await answer).map(({ close }) => close);
  };
  expect(await closes({ epoch: 2 })).toEqual([2.2]);
  expect(await closes({ epoch: 1 })).toEqual([1.1]);
  // As a former release asks.
  expect(await closes({})).toEqual([1.1]);
});

it('an engine that has lost its database leaves the answers to another one', async () => {
  const broker = new FakeBroker();
  let hasDatabase = true;
  const first = answeringWhile(broker.connect(), () => hasDatabase);
  first.answer(SUBJECTS.captcha, () => toJson('first'));
  broker.connect().answer(SUBJECTS.captcha, () => toJson('second'));
  const reader = broker.connect();
  const answered = async () => {
    const answer = reader.ask(SUBJECTS.captcha, toJson({}));
    broker.deliver();
    return fromJson(await answer);
  };
  expect(await answered()).toBe('first');
  hasDatabase = false;
  expect(await answered()).toBe('second');
});
