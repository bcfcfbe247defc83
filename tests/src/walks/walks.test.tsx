import { readFileSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import { seed, seeds } from '../../helpers/samples';
import { onPhone } from '../rendering';
import { LOOK } from './controls';
import { COUNT } from './walkedPage';
import { failureOf, shrink } from './walk';

beforeEach(() => {
  onPhone();
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (
    this: HTMLElement,
  ) {
    return this.matches('li,[role="rowgroup"] *') ? 56 : 560;
  });
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(360);
});

const ACTIONS = 300;

it('walks', async () => {
  if (process.env.WALK) {
    const script = readFileSync(process.env.WALK, 'utf8').trim().split('\n').map((l) => JSON.parse(l));
    const failed = await failureOf(seed, script);
    process.stderr.write(`${failed?.message}\n${document.body.innerHTML.slice(0,3000)}`);
    return;
  }
  const count = seeds(3, 1000, 10);
  const problems: string[] = [];
  for (let run = seed; run < seed + count; run++) {
    const begun = process.cpuUsage().user;
    let counts = {};
    const failed = await failureOf(run, ACTIONS, (walk) => {
      counts = walk.counts;
    });
    process.stderr.write(`${JSON.stringify([COUNT, LOOK])} ${run} ${(process.cpuUsage().user - begun) / 1e6} ${JSON.stringify(counts)} ${failed?.script.length} ${failed?.message.slice(0, 300)}\n`);
    if (!failed) continue;
    const shortest = process.env.SHRINK ? await shrink(run, failed, Number(process.env.SHRINK ?? 30_000)) : failed;
    const text = `SEED=${run}\n${shortest.message}\n${shortest.script.slice(-25).map((a) => JSON.stringify(a)).join('\n')}`;
    problems.push(text);
    if (process.env.SHRINK) process.stderr.write(text + '\n');
  }
  expect(problems).toEqual([]);
}, 3_600_000);
