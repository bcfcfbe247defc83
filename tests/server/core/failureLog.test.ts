import { expect, it } from 'vitest';
import { toDurationMs } from '#domain/core/time';
import { FailureLog } from '../../../server/core/failureLog';
import { RepeatedTask } from '../../../server/core/repeatedTask';
import { RecordingLog } from '../market/recordingListener';
import { FakeClock } from '../support/fakeClock';

it('logs a reason once, until it is another one, an hour has passed, or something succeeded', () => {
  const clock = new FakeClock();
  const logged: string[] = [];
  const log = new FailureLog(clock, (text) => logged.push(text));
  for (let second = 0; second < 3_600; second++) {
    log.failed(second < 1_000 ? 'refused' : 'starts');
    clock.pass(1_000);
  }
  expect(logged).toEqual(['refused', 'starts']);
  clock.pass(1_000_000);
  log.failed('starts');
  log.failed('starts');
  expect(logged).toEqual(['refused', 'starts', 'starts']);
  log.succeeded();
  log.failed('starts');
  expect(logged).toHaveLength(4);
});

it('logs once why a task fails that is repeated each second', async () => {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const outcomes = ['away', 'away', 'away', undefined, 'away'];
  const task = new RepeatedTask({
    ...{ name: 'nights', every: toDurationMs(1_000), clock, log },
    run() {
      const failure = outcomes.shift();
      return failure ? Promise.reject(new Error(failure)) : Promise.resolve();
    },
  });
  task.start();
  await clock.advance(5_000);
  await task.stop();
  const lines = log.errors.map((text) => text.split('\n', 1)[0]);
  expect(lines).toEqual(['nights: Error: away', 'nights: Error: away']);
});
