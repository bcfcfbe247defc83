// The page of results: one static page with its script and its styles beside it, as the app's server forbids both inside.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workload } from '#domain/workload/workload';
import type { Estimate } from '../../lib/statistics';
import type { EngineResults } from '../engines/results';
import { sourcesOf } from '../harness/manifest';
import { type Results, UNLIKE_SAYS } from '../harness/results';
import { enginePage } from './enginePage';
import { cell, escaped, head, htmlTable } from './html';
import { type Standing, type Standings, standings, type Verdict } from './standings';
import { figure, interval } from './table';

const VERDICTS: Record<Verdict, string> = {
  floor: 'the floor',
  cheaper: 'less than the floor',
  equal: 'as much as the floor',
  dearer: 'more than the floor',
  undecided: 'not decided',
  failed: 'failed: no figure',
};

function sourceOf({ name, about }: Standing): string {
  if (!about) return '';
  const files = sourcesOf(name).map(
    ({ file, text }) => `<h4>${escaped(file)}</h4><pre tabindex="0">${escaped(text)}</pre>`,
  );
  return `<details><summary>Source</summary><p>By ${escaped(about.by)}, after <a href="${escaped(about.docs)}">its documentation</a>.</p>${files.join('')}</details>`;
}

/** From nothing to the dearest, px. */
const WIDTH = 160;

/** A ratio as a bar with its interval, beside the floor's. */
function bar({ median, low, high }: Estimate, most: number): string {
  if (!Number.isFinite(median)) return '';
  const at = (value: number) => ((Math.min(value, most) / most) * WIDTH).toFixed(1);
  return `<svg viewBox="0 0 ${WIDTH} 12" preserveAspectRatio="none" aria-hidden="true"><rect width="${at(median)}" height="12"/><line x1="${at(low)}" x2="${at(high)}" y1="6" y2="6"/><line class="floor" x1="${at(1)}" x2="${at(1)}" y2="12"/></svg>`;
}

const HEADS = [
  'whole browser, × floor',
  'page thread, × floor',
  'whole browser, ms/s',
  'frames a second',
  'page thread, ms a frame',
  'age of a price, ms',
  'code, KB gzip',
  'pairs',
] as const;

function row(standing: Standing, most: number): string {
  const { name, version, what, page, whole, cost, drawn, frame, age, kilobytes, verdict } =
    standing;
  const sign = standing.unlike && '*';
  const cells: readonly (readonly [number, string])[] = [
    [whole.median, `${bar(whole, most)}<span>${interval(whole)}${sign}</span>`],
    [page.median, interval(page) + sign],
    [cost, figure(cost)],
    [drawn, figure(drawn)],
    [frame, figure(frame)],
    [age, figure(age)],
    [kilobytes, figure(kilobytes)],
    [whole.count, `${whole.count}`],
  ];
  const tds = cells.map(([value, text], index) =>
    cell(HEADS[index] ?? '', value, text, index === 0 ? 'ratio' : ''),
  );
  return `<tr role="row" data-verdict="${verdict}" data-peer="${standing.about ? 1 : 0}">
<th role="rowheader" scope="row"><b>${escaped(name)}</b> <small>${escaped(version)}</small><p>${escaped(what)}</p>${sourceOf(standing)}</th>
${tds.join('\n')}
<td role="cell" data-head="verdict">${VERDICTS[verdict]}</td></tr>`;
}

/** What was sent, in words. */
function described({ n, rate, rows, perMessage, first }: Workload): string {
  const all = `${n} instruments, ${rate} quotes a second, ${perMessage} in a message`;
  return first > 0
    ? `${all}; ${first} a second of the one on the chart.`
    : `${all}; ${rows} rows in sight.`;
}

function section(title: string, { floor, workload, noise, rows }: Standings): string {
  if (rows.length === 0) return '';
  const most = Math.max(...rows.map(({ whole }) => whole.median).filter(Number.isFinite));
  const twice =
    noise.count > 0
      ? `The floor measured twice in each round: ${interval(noise)}; nothing within that is called a difference.`
      : 'The floor was not measured twice, so there is no verdict.';
  const heads = HEADS.map((text, index) => head(text, index === 0 ? 'ascending' : 'none'));
  return `<section><h2>${title}</h2>
<p><strong>Lower is better</strong> in each column but the frames and the pairs. The floor, ${floor}, is written by hand for this alone, and the dashed line. Each figure is a median, with its
95 % interval in brackets. ${twice}</p>
<p class="about">${described(workload)}</p>
${htmlTable(
  `${head('contender')}${heads.join('')}<th role="columnheader" scope="col">verdict</th>`,
  rows.map((each) => row(each, most)),
)}${rows.some(({ unlike }) => unlike) ? `<p>${UNLIKE_SAYS.replace('\\', '')}</p>` : ''}</section>`;
}

/** The figures of the documents and of the app's page are of this folder. */
export const COMMITTED = 'bench/results';

/** Where the app's build takes the page from; its script and its styles are there. */
const PAGE_FOLDER = join(process.cwd(), 'public/bench/results');

/** Where the page of a folder of results is. */
export const pageOf = (folder: string): string =>
  folder === COMMITTED ? PAGE_FOLDER : join(folder, 'page');

/** Writes the page into a folder. */
export function writePage(
  results: Results,
  engines: EngineResults | undefined,
  folder: string,
): void {
  const { lists, charts } = standings(results);
  const inEngines = enginePage(engines);
  const { cpu, cores, platform, browser, commit, at, command } = results.about;
  const ran = [`${cpu}, ${cores} cores, ${platform}`, browser, commit && `commit ${commit}`];
  const html = `<!doctype html>
<!-- Generated by npm run bench -- --report. -->
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Fulcrum: benchmark results</title>
<link rel="stylesheet" href="results.css"><script type="module" src="results.js"></script></head>
<body><main><h1>Live quotes, drawn by ${lists.rows.length + charts.rows.length} contenders</h1>
<p>Each gets the same seeded stream over a real websocket, in a fresh browser for each sample. The cost is the CPU time of all threads, by the kernel's
account. A sample counts only if every row in sight ends with the stream's last price. A frame counts that changes an element or draws on a canvas.</p>
<p class="about">${escaped([...ran.filter(Boolean), String(at).slice(0, 10)].join('; '))}${command ? `<br><code>${escaped(String(command))}</code>` : ''}</p>
<form class="filters"><label><input type="checkbox" name="peers"> without Fulcrum's own pages</label><label><input type="checkbox" name="decided"> only with a verdict</label>${inEngines.filter}</form>
${section('Lists', lists)}
${section('Charts', charts)}
${inEngines.section}
</main></body></html>
`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), html);
  if (folder === PAGE_FOLDER) return;
  for (const file of ['results.css', 'results.js']) {
    copyFileSync(join(PAGE_FOLDER, file), join(folder, file));
  }
}
