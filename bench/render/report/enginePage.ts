// The lists in each engine, as a part of the page of results.
import type { EngineResults } from '../engines/results';
import { ENGINE_HEADS, type EngineRow, engineRows, engineVersions } from '../engines/tables';
import { cell, escaped, head, htmlTable } from './html';
import { interval } from './table';

function row({ engine, name, isPeer, figures, passed }: EngineRow): string {
  const cells = figures.map((found, index) =>
    cell(ENGINE_HEADS[index] ?? '', found.median, interval(found)),
  );
  return `<tr role="row" data-engine="${engine}" data-peer="${isPeer ? 1 : 0}">
<th role="rowheader" scope="row"><b>${escaped(name)}</b> <small>${engine}</small></th>
${cells.join('\n')}
<td role="cell" data-head="gate passed">${passed}</td></tr>`;
}

/** The filter by engine, and the table; empty where none was measured. */
export function enginePage(results: EngineResults | undefined): {
  filter: string;
  section: string;
} {
  const rows = results ? engineRows(results) : [];
  if (!results || rows.length === 0) return { filter: '', section: '' };
  const engines = [...new Set(rows.map(({ engine }) => engine))];
  const heads = [
    head('contender'),
    ...ENGINE_HEADS.map((text) => head(text)),
    '<th role="columnheader" scope="col">gate passed</th>',
  ];
  return {
    filter: `<label>engine <select name="engine"><option value="">all</option>${engines.map((engine) => `<option>${engine}</option>`).join('')}</select></label>`,
    section: `<section><h2>Lists by engine</h2>
<p>The same stream, as far as a page can tell without the tools of developers. <strong>CPU is not measured here.</strong> A frame counts that
draws; one is late more than 50 ms after the animation frame before it. Beside REF: in the same engine and round. Engines of one machine are not those of
phones.</p>
<p class="about">${escaped(engineVersions(results))}; ${String(results.about['at']).slice(0, 10)}</p>
${htmlTable(heads.join(''), rows.map(row))}</section>`,
  };
}
