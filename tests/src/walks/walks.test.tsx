import { beforeEach, expect, it, vi } from 'vitest';
import { seed, seeds } from '../../helpers/samples';
import { onPhone } from '../rendering';
import { failureOf, shrink } from './walk';

beforeEach(() => {
  onPhone();
  for (const size of ['clientHeight', 'offsetHeight'] as const)
    vi.spyOn(HTMLElement.prototype, size, 'get').mockReturnValue(560);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(360);
});

const ACTIONS = 300;

it('walks', async () => {
  const count = seeds(3, 1000, 10);
  const problems: string[] = [];
  for (let run = seed; run < seed + count; run++) {
    const begun = process.hrtime.bigint();
    let counts = {};
    const failed = await failureOf(run, ACTIONS, (walk) => {
      counts = walk.counts;
    });
    process.stderr.write(`${run} ${Number(process.hrtime.bigint() - begun) / 1e6} ${JSON.stringify(counts)} ${failed?.script.length} ${failed?.message.slice(0, 300)}\n`);
    if (!failed) continue;
    const shortest = process.env.SHRINK ? await shrink(run, failed, Number(process.env.SHRINK ?? 30_000)) : failed;
    const text = `SEED=${run}\n${shortest.message}\n${shortest.script.slice(-25).map((a) => JSON.stringify(a)).join('\n')}`;
    problems.push(text);
    if (process.env.SHRINK) process.stderr.write(text + '\n');
  }
  expect(problems).toEqual([]);
}, 3_600_000);
