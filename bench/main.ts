// The arithmetic: npm run bench [-- --quick] [--only NAME] [--out FILE]
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { codecs } from './codecs';
import { decimals } from './decimals';
import { klines } from './klines';
import { machine, type Outcome } from './lib/measure';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    out: { type: 'string' },
  },
});

const benchmarks: Record<string, (rounds: number, seed: number) => Outcome | Promise<Outcome>> = {
  klines,
  decimals,
  ...codecs,
};
const chosen = Object.entries(benchmarks).filter(([name]) => !values.only || values.only === name);
if (chosen.length === 0) {
  console.error(`No benchmark ${values.only}. There are: ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(2);
}

const outcomes: Outcome[] = [];
for (const [name, run] of chosen) {
  process.stdout.write(`${name} …\n`);
  const outcome = await run(values.quick ? 9 : 31, 20_140_507);
  outcomes.push(outcome);
  console.log(`${outcome.what}; ratios to ${outcome.reference}, 95 % interval`);
  console.table(
    Object.fromEntries(
      outcome.rows.map((row) => [
        row.contender,
        {
          'µs CPU': Math.round(row.median),
          ratio: row.ratio.median.toFixed(3),
          low: row.ratio.low.toFixed(3),
          high: row.ratio.high.toFixed(3),
        },
      ]),
    ),
  );
  if (outcome.facts) console.table(outcome.facts);
}
if (values.out) {
  // A run of one benchmark keeps the results of the others.
  const others: Outcome[] = existsSync(values.out)
    ? JSON.parse(readFileSync(values.out, 'utf8')).outcomes
    : [];
  const kept = others.filter(({ name }) => !outcomes.some((outcome) => outcome.name === name));
  const result = { machine: machine(), outcomes: [...kept, ...outcomes] };
  writeFileSync(values.out, `${JSON.stringify(result, null, 1)}\n`);
}
