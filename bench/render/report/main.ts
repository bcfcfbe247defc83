// Writes the report of a folder of results: node report.js FOLDER README
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Machine, Outcome } from '../../lib/measure';
import type { LiveResult } from '../../live/result';
import type { LoadResult } from '../../load/sample';
import * as runs from '../harness/results';
import { live } from './live';
import { load } from './load';
import { drawPlots } from './plots';
import { arithmetic, type ChartResult, chart, render } from './text';

const [folder = 'bench/results', readme = 'bench/README.md'] = process.argv.slice(2);
/** The folder as the report sees it; empty: its own. */
const to = relative(dirname(readme), folder).replaceAll('\\', '/');
const parts = [
  `# The benchmarks

Written by \`npm run bench\` from [results/](${to || '.'}); all samples are there. Ratios are medians of ratios within a round,
in brackets their 95 % bootstrap interval. Nothing is claimed that an interval does not support.`,
];
const results = runs.load(join(folder, 'render.json'));
if (results) {
  const plots = await drawPlots(results, folder);
  parts.push(
    render(results),
    ...plots.map(({ file, title }) => `### ${title}\n\n![${title}](${to ? `${to}/` : ''}${file})`),
  );
}
function found<T>(name: string): T | undefined {
  const file = join(folder, name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}
const charts = found<ChartResult>('chart.json');
if (charts) parts.push(chart(charts));
const loaded = found<LoadResult>('load.json');
if (loaded) parts.push(load(loaded));
const lived = found<LiveResult>('live.json');
if (lived) parts.push(live(lived));
const sums = found<{ machine: Machine; outcomes: Outcome[] }>('arithmetic.json');
if (sums) parts.push(arithmetic(sums));
writeFileSync(readme, `${parts.join('\n\n')}\n`);
console.log(`Report: ${readme}`);
