// The figures in hand-written documents: what stands between their markers is written here, and nowhere by hand.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Results } from '../harness/results';
import { nameOf } from '../harness/workload';
import { goals, verdict } from './goals';
import { standings } from './standings';
import { figure, interval, table } from './table';

/** Lines of the table in README.md. */
const LINES = 10;

/** The list's standings in a few lines. */
function summary(results: Results): string {
  const { lists } = standings(results);
  const head = ['', 'whole browser, × REF', 'page thread, × REF', 'age ms', 'JavaScript KB'];
  const rows = lists.rows
    .slice(0, LINES)
    .map(({ name, version, whole, page, age, kilobytes }) => [
      `${name} ${version}`.trim(),
      interval(whole),
      interval(page),
      figure(age),
      figure(kilobytes),
    ]);
  const said = `${nameOf(lists.workload)}; ${String(results.about['at']).slice(0, 10)}, ${results.about['cpu']}, ${results.about['browser']}. The same page twice: ${interval(lists.noise)}.`;
  return `${said}\n\n${table(head, rows)}`;
}

/** Each goal, as it was measured. */
function goalTable(results: Results): string {
  return table(
    ['measure', 'goal', 'measured', 'samples', ''],
    goals(results).map((goal) => [
      goal.what,
      `≤ ${goal.limit} ${goal.unit}`.trim(),
      interval(goal.found),
      goal.exact ? 'exact' : `${goal.found.count}`,
      verdict(goal),
    ]),
  );
}

const BLOCKS = {
  standings: summary,
  goals: goalTable,
} as const;

export const DOCUMENTS = ['README.md', 'bench/README.md', 'docs/performance.md'];

/** A document with the figures of these results between its markers. */
export function withFigures(text: string, results: Results): string {
  return text.replace(
    /(<!-- figures: (\w+) -->\n).*?(\n<!-- end -->)/gs,
    (whole, begin: string, name: string, end: string) => {
      const block = BLOCKS[name as keyof typeof BLOCKS];
      return block ? `${begin}${block(results)}${end}` : whole;
    },
  );
}

export function writeFigures(results: Results): void {
  for (const file of DOCUMENTS) {
    writeFileSync(file, withFigures(readFileSync(file, 'utf8'), results));
  }
}
