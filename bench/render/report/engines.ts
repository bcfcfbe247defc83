import type { EngineResults } from '../engines/results';
import { engineTables, engineVersions } from '../engines/tables';

/** What a page tells in each engine. */
export function byEngine(results: EngineResults): string {
  const { cpu, cores, at } = results.about;
  return [
    '## By engine',
    `${cpu}, ${cores} cores; ${engineVersions(results)}; ${String(at).slice(0, 10)}. Each in a new page of a new profile, in turn. CPU is not measured there:
only Linux's account of Chromium's threads is read. A frame counts that draws; one is late more than 50 ms after the animation frame
before it. Ratios are to REF in the same engine and round; two engines stand only side by side.`,
    engineTables(results),
  ].join('\n\n');
}
