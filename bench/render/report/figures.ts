// The figures in hand-written documents: what stands between their markers is written here, and nowhere by hand.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Results, type Run, UNLIKE_SAYS } from '../harness/results';
import { goals, verdict } from './goals';
import { network, traffic } from './phone';
import { standings } from './standings';
import { figure, interval, table } from './table';

/** Lines of the table in README.md. */
const LINES = 10;

/** The list's standings in a few lines. */
function summary(results: Results): string {
  const { lists } = standings(results);
  const head = [
    '',
    'whole browser, × REF',
    'page thread, × REF',
    'age ms',
    'code, KB gzip',
    'pairs',
  ];
  const own = lists.rows.filter(({ about }) => !about);
  const others = lists.rows.filter(({ about }) => about).slice(0, LINES - own.length);
  const rows = lists.rows
    .filter((row) => own.includes(row) || others.includes(row))
    .map(({ name, version, whole, page, unlike, age, kilobytes }) => [
      `${name} ${version}`.trim(),
      interval(whole) + unlike,
      interval(page) + unlike,
      figure(age),
      figure(kilobytes),
      `${whole.count}`,
    ]);
  const { at, cpu, browser } = results.about;
  const twice = lists.noise.count > 0 ? ` REF beside itself: ${interval(lists.noise)}.` : '';
  const said = `${String(at).slice(0, 10)}, ${cpu}, ${browser}.${twice}`;
  const marked = [...own, ...others].some(({ unlike }) => unlike) ? `\n\n${UNLIKE_SAYS}` : '';
  return `${said}\n\n${table(head, rows)}${marked}`;
}

/** The goals that are not reached, as they were measured. */
function missed(results: Results): string {
  return table(
    ['measure', 'goal', 'measured', 'samples', ''],
    goals(results)
      .filter((goal) => verdict(goal) !== 'reached')
      .map((goal) => [
        goal.what,
        `≤ ${goal.limit} ${goal.unit}`.trim(),
        interval(goal.found),
        `${goal.found.count}`,
        verdict(goal),
      ]),
  );
}

/** What the samples consist of. */
function sections(results: Results): string {
  const { commit: newest = '' } = results.about;
  const names = [...new Set(results.runs.map(({ section }) => section))];
  return table(
    ['section', 'samples', 'commit', 'of'],
    names.map((name) => {
      const runs = results.runs.filter(({ section, sample }) => section === name && sample);
      const each = (value: (run: Run) => string) => [...new Set(runs.map(value))].join('; ');
      return [
        name,
        `${runs.length}`,
        each(({ commit = newest, cpu }) =>
          [commit, cpu !== results.about['cpu'] && cpu].filter(Boolean).join(', '),
        ),
        each(({ contender }) => contender),
      ];
    }),
  );
}

interface About {
  at?: string;
  commit?: string;
  browser?: string;
  version?: string;
  cpu?: string;
}

/** When and where each file of samples was measured. */
function files(): string {
  const folder = 'bench/results';
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const rows = names.sort().map((name) => {
    const result = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Record<string, About>;
    const { about = { ...result['machine'], at: String(result['at'] ?? '') } } = result;
    const browser = about.browser ?? about.version ?? '';
    return [`\`${name}\``, about.at?.slice(0, 10), about.commit, about.cpu, browser].map(
      (cell = '') => cell,
    );
  });
  return table(['file', 'of', 'commit', 'on', 'in'], rows);
}

const BLOCKS = { standings: summary, missed, sections, files, network, traffic } as const;

export const BLOCK_NAMES = Object.keys(BLOCKS);

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
