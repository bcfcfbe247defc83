// The page of results: one static page with its script and its styles beside it, as the app's server forbids both inside.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Estimate } from '../../lib/statistics';
import { CONTENDER_FOLDER } from '../harness/manifest';
import type { Results } from '../harness/results';
import { nameOf } from '../harness/workload';
import { type Standing, type Standings, standings, type Verdict } from './standings';
import { figure, interval } from './table';

const VERDICTS: Record<Verdict, string> = {
  floor: 'the floor',
  cheaper: 'costs less than the floor',
  equal: 'as the floor, to what was measured',
  dearer: 'costs more than the floor',
  undecided: 'not decided',
  failed: 'failed: no figure',
};

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The files of a contender that its author wrote. */
function sourcesOf(name: string): { file: string; text: string }[] {
  const folder = join(CONTENDER_FOLDER, name);
  return readdirSync(folder)
    .filter((file) => /\.(tsx?|mjs|vue|svelte|css)$|^contender\.json$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
}

function sourceOf({ name, about }: Standing): string {
  if (!about) return '';
  const files = sourcesOf(name).map(
    ({ file, text }) => `<h4>${escaped(file)}</h4><pre>${escaped(text)}</pre>`,
  );
  return `<details><summary>Source</summary><p>By ${escaped(about.by)}, as in <a href="${escaped(about.docs)}">its documentation</a>.</p>${files.join('')}</details>`;
}

function cell(value: number, text: string): string {
  return `<td data-value="${Number.isFinite(value) ? value : ''}">${text}</td>`;
}

function bar({ median, low, high }: Estimate, most: number): string {
  if (!Number.isFinite(median)) return '';
  const at = (value: number) => ((Math.min(value, most) / most) * 120).toFixed(1);
  return `<svg width="120" height="12" aria-hidden="true"><rect width="${at(median)}" height="12"/><line x1="${at(low)}" x2="${at(high)}" y1="6" y2="6"/></svg>`;
}

function row(standing: Standing, most: number): string {
  const { name, version, what, page, whole, cost, age, kilobytes, verdict } = standing;
  return `<tr data-verdict="${verdict}" data-peer="${standing.about ? 1 : 0}">
<th scope="row"><span>${escaped(name)}</span> <small>${escaped(version)}</small><p>${escaped(what)}</p>${sourceOf(standing)}</th>
${cell(whole.median, `${bar(whole, most)}<span>${interval(whole)}</span>`)}
${cell(page.median, interval(page))}
${cell(cost, figure(cost))}
${cell(age, figure(age))}
${cell(kilobytes, figure(kilobytes))}
${cell(whole.count, `${whole.count}`)}
<td>${VERDICTS[verdict]}</td></tr>`;
}

const HEADS = [
  'whole browser, × floor',
  'page thread, × floor',
  'whole browser, ms/s',
  'age of a price, ms',
  'JavaScript, KB',
  'pairs',
];

function section(title: string, { floor, workload, noise, rows }: Standings): string {
  if (rows.length === 0) return '';
  const finite = rows.map(({ whole }) => whole.median).filter(Number.isFinite);
  const most = Math.max(...finite);
  return `<section><h2>${title}</h2>
<p>${nameOf(workload)}. The floor is ${floor}. Lower is better in each column but the pairs. The floor beside itself: ${interval(noise)}; nothing within that is called a difference.</p>
<div class="wide"><table><thead><tr><th scope="col" aria-sort="none"><button type="button">contender</button></th>${HEADS.map(
    (head, index) =>
      `<th scope="col" aria-sort="${index === 0 ? 'ascending' : 'none'}"><button type="button">${head}</button></th>`,
  ).join('')}<th scope="col">verdict</th></tr></thead>
<tbody>${rows.map((each) => row(each, most)).join('\n')}</tbody></table></div></section>`;
}

/** Writes the page into a folder. */
export function writePage(results: Results, folder: string): void {
  const { lists, charts } = standings(results);
  const { about } = results;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Fulcrum: benchmark results</title>
<link rel="stylesheet" href="results.css"><script type="module" src="results.js"></script></head>
<body><main><h1>Lists and charts of live quotes</h1>
<p>One seeded stream over a real websocket for everyone; a fresh browser for each sample; CPU of all threads by the scheduler's account; no figure of a page
whose rows in sight do not end with the stream's last prices.</p>
<p>${escaped(`${about['cpu']}, ${about['cores']} cores, ${about['platform']}; ${about['browser']}; commit ${about['commit'] ?? 'not noted'}; ${String(about['at']).slice(0, 10)}`)}.
<code>${escaped(String(about['command'] ?? 'npm run bench -- --only render --sections contenders,charts'))}</code></p>
<form><label><input type="checkbox" name="peers"> only contenders of others</label> <label><input type="checkbox" name="decided"> only decided</label></form>
${section('Lists', lists)}
${section('Charts', charts)}
</main></body></html>
`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), html);
  for (const file of ['results.css', 'results.js']) {
    const from = join(process.cwd(), 'bench/render/report', file);
    writeFileSync(join(folder, file), readFileSync(from));
  }
}
