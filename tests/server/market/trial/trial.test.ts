import { describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { readCommand } from '../../../../server/config/config';
import { priceLimits } from '../../../../server/market/priceLimits';
import { simulatedPrices } from '../../../../server/market/trial/simulatedPrices';
import { recordedPrices, runTrial, tryLimits } from '../../../../server/market/trial/trialCommand';
import { samples, seed } from '../../../helpers/samples';

function configOf(...args: string[]) {
  const command = readCommand(args, {});
  if (command.name === 'help') throw new Error('only help');
  return command.config;
}

const limits = priceLimits(configOf());
const SEEDS = samples(2, 40);

describe('the limits that are on by default', () => {
  it('halt no instrument of the recorded day more than once, and let no planted price through', async () => {
    for (let i = 0; i < SEEDS; i++) {
      const prices = recordedPrices('sample', (line) => expect(line).toBe(''));
      const trials = await tryLimits(prices, limits, `${seed + i}`);
      expect(trials.map(({ code }) => code).sort()).toEqual(['EURUSD', 'NZDUSD']);
      for (const { mostOfDay, dropped, planted, caught } of trials) {
        expect(mostOfDay).toBeLessThanOrEqual(1);
        expect(dropped).toBe(0);
        expect(planted).toBeGreaterThan(500);
        expect(caught).toBe(planted);
      }
    }
  }, 120_000);

  it('halt no instrument of a simulated day, and let no planted price through', async () => {
    for (let i = 0; i < SEEDS; i++) {
      const market = { seed: `${seed + i}`, instruments: 40, ticksPerSecond: 5 };
      const day = toUnixMs(Date.UTC(2026, 0, 5 + (i % 5)));
      const trials = await tryLimits(simulatedPrices({ ...market, day }), limits, market.seed);
      expect(trials).toHaveLength(40);
      const halted = trials.filter(({ mostOfDay }) => mostOfDay > 0);
      expect(halted).toEqual([]);
      expect(trials.filter(({ planted, caught }) => planted !== caught)).toEqual([]);
    }
  }, 120_000);
});

it('prints what limits do, which are too tight here', async () => {
  const lines: string[] = [];
  const config = configOf(
    'try-limits',
    '--replay',
    'sample',
    '--price-floor',
    '0.001',
    '--price-jump',
    '0.5',
  );
  await runTrial(config, toUnixMs(0), (line) => lines.push(line));
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/ prices +jump +spread +silence +most a day +dropped +wrong +caught$/);
  const [name, prices, jump] = lines[3]?.split(/ +/) ?? [];
  expect([name, prices]).toEqual(['all', '83327']);
  expect(Number(jump)).toBeGreaterThan(50);
});
