import { expect, it } from 'vitest';
import { SUBJECTS, toJson } from '../../../server/cluster/bus';
import type { EngineWatch } from '../../../server/cluster/engineNews';
import { EngineQuestions } from '../../../server/cluster/engineQuestions';
import { DatabaseUnavailable } from '../../../server/db/unavailable';
import { FakeBroker } from './fakeBus';

it('an engine that does not know yet that another one is at work is not believed', async () => {
  const broker = new FakeBroker();
  let epoch = 2;
  broker.connect().answer(SUBJECTS.pushed(1), () => toJson({ epoch, value: 7 }));
  const engines = { epochOf: () => 2 } as unknown as EngineWatch;
  const questions = new EngineQuestions(broker.connect(), engines);
  const ask = () => {
    const answer = questions.askEngine<number>(1, SUBJECTS.pushed, 5);
    broker.deliver();
    return answer;
  };
  expect(await ask()).toBe(7);
  epoch = 1;
  await expect(ask()).rejects.toThrow(DatabaseUnavailable);
});

it('nor one whose answer is under way when another one is heard', async () => {
  const broker = new FakeBroker();
  let known = 1;
  broker.connect().answer(SUBJECTS.pushed(1), () => toJson({ epoch: 1, value: 7 }));
  const engines = { epochOf: () => known } as unknown as EngineWatch;
  const answer = new EngineQuestions(broker.connect(), engines).askEngine(1, SUBJECTS.pushed, 5);
  known = 2;
  broker.deliver();
  await expect(answer).rejects.toThrow(DatabaseUnavailable);
});
