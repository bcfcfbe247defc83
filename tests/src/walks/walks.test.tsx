import { beforeEach, expect, it, vi } from 'vitest';
import { seed, seeds } from '../../helpers/samples';
import { onPhone } from '../rendering';
import { failureOf, shrink } from './walk';

vi.mock('../../../src/features/trading/chart/candleChart', () => ({
  createCandleChart: (host: HTMLElement) =>
    nothing({ host, space: nothing({ host }), parts: nothing({}) }),
}));
/** Has these fields, and functions that do nothing for all others. */
function nothing<T extends object>(fields: T): T {
  return new Proxy(fields, {
    get: (known, name) =>
      name in known
        ? known[name as keyof T]
        : () => (name === 'attach' ? () => undefined : undefined),
  });
}

beforeEach(() => {
  onPhone();
  for (const size of ['clientHeight', 'offsetHeight'] as const)
    vi.spyOn(HTMLElement.prototype, size, 'get').mockReturnValue(560);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(360);
});

const ACTIONS = 300;

it('walks', async () => {
  const count = seeds(3, 1000, 10);
  for (let run = seed; run < seed + count; run++) {
    const begun = process.hrtime.bigint();
    let counts = {};
    const failed = await failureOf(run, ACTIONS, (walk) => {
      counts = walk.counts;
      console.log(walk.script.map((a) => JSON.stringify(a)).join('\n'));
    });
    console.log(run, Number(process.hrtime.bigint() - begun) / 1e6, JSON.stringify(counts));
    if (!failed) continue;
    const shortest = await shrink(run, failed, Number(process.env.SHRINK ?? 30_000));
    expect.fail(`SEED=${run}\n${shortest.message}\n${shortest.script.map((a) => JSON.stringify(a)).join('\n')}`);
  }
});
